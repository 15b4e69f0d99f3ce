// fails: java.lang.ArithmeticException
import org.sosy_lab.sv_benchmarks.Verifier;

/** A product that does not fit a long. */
public class ExactProduct {
    public static void main(String[] args) {
        long x = Verifier.nondetLong();
        Verifier.assume(x > 0);
        System.out.println(Math.multiplyExact(x, 3L) > 0);
    }
}
