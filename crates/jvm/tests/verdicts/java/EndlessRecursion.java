// fails: java.lang.StackOverflowError
import org.sosy_lab.sv_benchmarks.Verifier;

/** Counting down from an odd number by two misses zero. */
public class EndlessRecursion {
    static boolean even(int n) { return n == 0 || even(n - 2); }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        Verifier.assume(n >= 0 && n < 4);
        System.out.println(even(n));
    }
}
