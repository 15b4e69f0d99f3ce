// fails: java.lang.NullPointerException
import java.util.HashMap;
import java.util.Map;
import org.sosy_lab.sv_benchmarks.Verifier;

/** A key that is not in the map is unboxed. */
public class NullLookup {
    public static void main(String[] args) {
        Map<Integer, Integer> squares = new HashMap<>();
        for (int i = 0; i < 6; i++) squares.put(i, i * i);
        int key = Verifier.nondetInt();
        Verifier.assume(key >= 0 && key <= 6);
        int square = squares.get(key);
        assert square == key * key;
    }
}
