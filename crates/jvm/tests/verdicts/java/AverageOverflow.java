// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** The mean of two large numbers is negative. */
public class AverageOverflow {
    public static void main(String[] args) {
        int a = Verifier.nondetInt(), b = Verifier.nondetInt();
        Verifier.assume(a >= 0 && b >= a);
        int mean = (a + b) / 2;
        assert a <= mean && mean <= b;
    }
}
