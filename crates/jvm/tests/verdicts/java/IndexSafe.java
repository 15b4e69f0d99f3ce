// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A histogram counts every value once. */
public class IndexSafe {
    public static void main(String[] args) {
        int[] histogram = new int[4];
        for (int i = 0; i < 3; i++) histogram[Verifier.nondetInt() & 3]++;
        int sum = 0;
        for (int count : histogram) sum += count;
        assert sum == 3;
    }
}
