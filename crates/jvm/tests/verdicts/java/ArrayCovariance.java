// fails: java.lang.ArrayStoreException
import org.sosy_lab.sv_benchmarks.Verifier;

/** An array of strings seen as one of objects. */
public class ArrayCovariance {
    public static void main(String[] args) {
        Object[] cells = Verifier.nondetInt() == 123456 ? new String[1] : new Object[1];
        cells[0] = 1;
    }
}
