// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** Not every int is a float. */
public class FloatPrecision {
    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        Verifier.assume(x > 0 && x < 100_000_000);
        assert (int) (float) x == x;
    }
}
