// holds
import java.util.PriorityQueue;
import org.sosy_lab.sv_benchmarks.Verifier;

/** What leaves a priority queue does so in order. */
public class PriorityOrder {
    public static void main(String[] args) {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int i = 0; i < 3; i++) queue.add((int) Verifier.nondetShort());
        int last = Integer.MIN_VALUE;
        while (!queue.isEmpty()) {
            int next = queue.poll();
            assert last <= next;
            last = next;
        }
    }
}
