// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** The mean without overflow. */
public class AverageSafe {
    public static void main(String[] args) {
        int a = Verifier.nondetInt(), b = Verifier.nondetInt();
        Verifier.assume(a >= 0 && b >= a);
        int mean = a + (b - a) / 2;
        assert a <= mean && mean <= b;
    }
}
