// holds
import java.util.Arrays;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Sorted, and with the same sum. */
public class MergeSort {
    static int[] sort(int[] a) {
        if (a.length < 2) return a;
        int[] left = sort(Arrays.copyOfRange(a, 0, a.length / 2));
        int[] right = sort(Arrays.copyOfRange(a, a.length / 2, a.length));
        int[] all = new int[a.length];
        for (int i = 0, l = 0, r = 0; i < all.length; i++) {
            all[i] = r == right.length || l < left.length && left[l] <= right[r] ? left[l++] : right[r++];
        }
        return all;
    }

    public static void main(String[] args) {
        int[] a = new int[4];
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            a[i] = Verifier.nondetByte();
            sum += a[i];
        }
        int[] b = sort(a);
        for (int i = 0; i < b.length; i++) {
            sum -= b[i];
            assert i == 0 || b[i - 1] <= b[i];
        }
        assert sum == 0;
    }
}
