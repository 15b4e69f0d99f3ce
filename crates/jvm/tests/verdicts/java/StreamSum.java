// fails: java.lang.AssertionError
import java.util.stream.IntStream;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Three numbers above ten whose sum is a hundred. */
public class StreamSum {
    public static void main(String[] args) {
        int a = Verifier.nondetShort(), b = Verifier.nondetShort(), c = Verifier.nondetShort();
        int sum = IntStream.of(a, b, c).filter(x -> x > 10).map(x -> x + 1).sum();
        assert sum != 103 || a <= 10;
    }
}
