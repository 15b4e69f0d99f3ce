// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A number whose text has a certain middle. */
public class FormatDigits {
    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        Verifier.assume(x >= 1000 && x < 10000);
        assert !String.format("#%d!", x).contains("#1984");
    }
}
