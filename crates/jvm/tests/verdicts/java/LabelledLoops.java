// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A pair of factors found by a labelled break. */
public class LabelledLoops {
    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        Verifier.assume(n > 100 && n < 130);
        int found = 0;
        outer:
        for (int i = 2; i < 12; i++) {
            for (int j = i; j < 12; j++) {
                if (i * j == n) {
                    found = i;
                    break outer;
                }
                if (i * j > n) continue outer;
            }
        }
        assert found == 0 || found > 10;
    }
}
