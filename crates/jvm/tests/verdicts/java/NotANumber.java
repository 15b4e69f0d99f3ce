// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A double that is neither less nor greater nor equal. */
public class NotANumber {
    public static void main(String[] args) {
        double x = Verifier.nondetDouble();
        assert x < 1.5 || x > 1.5 || x == 1.5;
    }
}
