// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two stores at indices of the input meet. */
public class SymbolicIndex {
    public static void main(String[] args) {
        int[] a = new int[10];
        int i = Verifier.nondetInt(), j = Verifier.nondetInt();
        Verifier.assume(0 <= i && i < 10 && 0 <= j && j < 10);
        a[i] = 5;
        a[j] += 2;
        assert a[i] + a[(i + 3) % 10] != 7 || i != 6 || j == i;
    }
}
