// fails: java.lang.ArrayIndexOutOfBoundsException
import org.sosy_lab.sv_benchmarks.Verifier;

/** The upper end is one too high: a key above all others leads out of the array. */
public class BinarySearchBounds {
    public static void main(String[] args) {
        int[] a = {1, 3, 5, 7, 9};
        int key = Verifier.nondetInt();
        int low = 0, high = a.length;
        while (low <= high) {
            int middle = (low + high) / 2;
            if (a[middle] == key) break;
            if (a[middle] < key) low = middle + 1;
            else high = middle - 1;
        }
    }
}
