// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A door that is opened while it is locked. */
public class StringSwitch {
    public static void main(String[] args) {
        boolean locked = false, open = false;
        for (int i = 0; i < 2; i++) {
            switch (Verifier.nondetString()) {
                case "open" -> open = true;
                case "close" -> open = false;
                case "lock" -> locked = true;
                case "unlock" -> locked = false;
                default -> {}
            }
        }
        assert !(locked && open);
    }
}
