// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** Boxes of small numbers are shared, those of others are not. */
public class BoxIdentity {
    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        Integer a = x, b = x;
        assert a == b;
    }
}
