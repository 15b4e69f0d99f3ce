// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two threads count under a lock. */
public class SafeCounter {
    private int count;

    synchronized void add(int n) { count += n; }

    public static void main(String[] args) throws InterruptedException {
        SafeCounter counter = new SafeCounter();
        int x = Verifier.nondetShort(), y = Verifier.nondetShort();
        Thread first = new Thread(() -> counter.add(x)), second = new Thread(() -> counter.add(y));
        first.start();
        second.start();
        first.join();
        second.join();
        assert counter.count == x + y;
    }
}
