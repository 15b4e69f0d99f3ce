// fails: java.lang.NegativeArraySizeException
import org.sosy_lab.sv_benchmarks.Verifier;

/** A size from a header that is smaller than the header. */
public class NegativeSize {
    public static void main(String[] args) {
        int size = Verifier.nondetShort() & 63;
        byte[] body = new byte[size - 8];
        assert body.length < 64;
    }
}
