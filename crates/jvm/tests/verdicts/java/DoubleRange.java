// open: holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Halves of doubles in a range stay in it. */
public class DoubleRange {
    public static void main(String[] args) {
        double x = Verifier.nondetDouble();
        Verifier.assume(x >= 1.0 && x <= 8.0);
        double y = x / 2 + 0.5;
        assert y >= 1.0 && y <= 4.5;
        assert (int) y <= 4;
    }
}
