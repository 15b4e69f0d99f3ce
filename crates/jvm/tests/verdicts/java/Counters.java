// holds
import java.util.function.IntSupplier;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Inner, local and anonymous classes see the same state. */
public class Counters {
    private int count;

    class Step {
        int by;

        Step(int by) { this.by = by; }

        void go() { count += by; }
    }

    IntSupplier reader() {
        return new IntSupplier() {
            private int asked;

            @Override
            public int getAsInt() { return count + 0 * asked++; }
        };
    }

    public static void main(String[] args) {
        int x = Verifier.nondetShort();
        Counters counters = new Counters();
        IntSupplier reader = counters.reader();
        class Twice {
            void go(Step step) {
                step.go();
                step.go();
            }
        }
        new Twice().go(counters.new Step(x));
        assert reader.getAsInt() == 2 * x;
    }
}
