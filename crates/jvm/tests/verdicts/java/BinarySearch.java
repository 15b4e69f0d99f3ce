// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** What is found is what was looked for, and what is there is found. */
public class BinarySearch {
    static int search(int[] a, int key) {
        int low = 0, high = a.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -1;
    }

    public static void main(String[] args) {
        int[] a = {-7, -3, 0, 2, 5, 11, 19, 40};
        int key = Verifier.nondetInt();
        int at = search(a, key);
        if (at >= 0) {
            assert a[at] == key;
        } else {
            for (int x : a) assert x != key;
        }
    }
}
