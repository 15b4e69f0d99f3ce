// open: holds
import java.math.BigInteger;
import org.sosy_lab.sv_benchmarks.Verifier;

/** A square of a big integer is that of the long, where that fits. */
public class BigSquares {
    public static void main(String[] args) {
        long x = Verifier.nondetByte();
        BigInteger square = BigInteger.valueOf(x).multiply(BigInteger.valueOf(x));
        assert square.longValueExact() == x * x;
        assert square.signum() >= 0;
    }
}
