// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** The greatest common divisor divides both. */
public class Gcd {
    static int gcd(int a, int b) {
        while (b != 0) {
            int t = a % b;
            a = b;
            b = t;
        }
        return a;
    }

    public static void main(String[] args) {
        int a = Verifier.nondetInt(), b = Verifier.nondetInt();
        Verifier.assume(a > 0 && a <= 4 && b > 0 && b <= 4);
        int g = gcd(a, b);
        assert g > 0 && a % g == 0 && b % g == 0;
    }
}
