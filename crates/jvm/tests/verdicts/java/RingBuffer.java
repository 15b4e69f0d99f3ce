// fails: java.lang.ArrayIndexOutOfBoundsException
import org.sosy_lab.sv_benchmarks.Verifier;

/** The end of a ring wraps one place too late. */
public class RingBuffer {
    private final int[] cells = new int[3];
    private int first, last, count;

    boolean put(int value) {
        if (count == cells.length) return false;
        cells[last] = value;
        last = last == cells.length ? 0 : last + 1;
        count++;
        return true;
    }

    int take() {
        int value = cells[first];
        first = (first + 1) % cells.length;
        count--;
        return value;
    }

    public static void main(String[] args) {
        RingBuffer ring = new RingBuffer();
        for (int i = 0; i < 5; i++) {
            if (Verifier.nondetBoolean()) ring.put(i);
            else if (ring.count > 0) ring.take();
        }
    }
}
