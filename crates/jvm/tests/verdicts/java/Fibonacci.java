// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two ways of computing a number of Fibonacci agree. */
public class Fibonacci {
    static final long[] MEMO = new long[40];

    static long recursive(int n) {
        if (n < 2) return n;
        if (MEMO[n] == 0) MEMO[n] = recursive(n - 1) + recursive(n - 2);
        return MEMO[n];
    }

    static long iterative(int n) {
        long a = 0, b = 1;
        while (n-- > 0) {
            long c = a + b;
            a = b;
            b = c;
        }
        return a;
    }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        Verifier.assume(n >= 0 && n < 8);
        assert recursive(n) == iterative(n);
    }
}
