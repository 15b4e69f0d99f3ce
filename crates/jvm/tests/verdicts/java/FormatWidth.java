// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A number of up to three digits is written with leading zeros. */
public class FormatWidth {
    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        Verifier.assume(x >= 0 && x < 1000);
        String text = String.format("%05d", x);
        assert text.length() == 5;
        assert text.startsWith("00");
    }
}
