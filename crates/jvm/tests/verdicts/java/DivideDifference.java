// fails: java.lang.ArithmeticException
import gov.nasa.jpf.symbc.Debug;

/** A difference that can be zero. */
public class DivideDifference {
    public static void main(String[] args) {
        int x = Debug.makeSymbolicInteger("x"), y = Debug.makeSymbolicInteger("y");
        if (x > 1000 && y < x * 2) System.out.println(100 / (y - 3 * 700 - 1));
    }
}
