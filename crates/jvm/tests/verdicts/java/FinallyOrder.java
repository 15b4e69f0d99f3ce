// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Whatever happens in between, finally comes last, and its return wins. */
public class FinallyOrder {
    static String log = "";

    @SuppressWarnings("finally")
    static int run(int x) {
        try {
            log += "a";
            if (x == 1) throw new IllegalStateException();
            if (x == 2) return 2;
            log += "b";
        } catch (IllegalStateException expected) {
            log += "c";
            return 3;
        } finally {
            log += "d";
            if (x == 2) return 4;
        }
        return 5;
    }

    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        int result = run(x);
        assert log.endsWith("d");
        assert result == (x == 1 ? 3 : x == 2 ? 4 : 5);
        assert log.equals(x == 1 ? "acd" : x == 2 ? "ad" : "abd");
    }
}
