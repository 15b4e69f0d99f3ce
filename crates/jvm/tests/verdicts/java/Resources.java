// fails: java.lang.IllegalStateException
import org.sosy_lab.sv_benchmarks.Verifier;

/** Closing fails where the body does not. */
public class Resources {
    record Handle(int number) implements AutoCloseable {
        @Override
        public void close() {
            if (number == 9) throw new IllegalStateException("handle 9");
        }
    }

    public static void main(String[] args) {
        try (Handle first = new Handle(1); Handle second = new Handle(Verifier.nondetInt())) {
            if (second.number() == 9 && Verifier.nondetBoolean()) throw new IllegalArgumentException();
        } catch (IllegalArgumentException body) {
            assert body.getSuppressed().length == 1;
        }
    }
}
