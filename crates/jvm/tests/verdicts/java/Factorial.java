// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** The factorial of 17 no longer fits an int. */
public class Factorial {
    static int factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        Verifier.assume(n >= 0 && n <= 20);
        assert factorial(n) > 0 : n;
    }
}
