// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** The inner loop never looks at the first element. */
public class InsertionSort {
    public static void main(String[] args) {
        int[] a = new int[4];
        for (int i = 0; i < a.length; i++) a[i] = Verifier.nondetInt();
        for (int i = 1; i < a.length; i++) {
            int x = a[i], j = i - 1;
            while (j > 0 && a[j] > x) {
                a[j + 1] = a[j];
                j--;
            }
            a[j + 1] = x;
        }
        for (int i = 0; i + 1 < a.length; i++) assert a[i] <= a[i + 1];
    }
}
