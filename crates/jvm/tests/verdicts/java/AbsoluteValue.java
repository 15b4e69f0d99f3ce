// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** The least int has no absolute value. */
public class AbsoluteValue {
    public static void main(String[] args) {
        assert Math.abs(Verifier.nondetInt()) >= 0;
    }
}
