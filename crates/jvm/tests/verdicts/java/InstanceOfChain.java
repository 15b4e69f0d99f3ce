// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Patterns tell boxes, arrays and texts apart. */
public class InstanceOfChain {
    static Object choose(int x) {
        return switch (x % 4) {
            case 0 -> x;
            case 1 -> (long) x;
            case 2 -> new int[] {x};
            default -> "x";
        };
    }

    static long size(Object o) {
        if (o instanceof Integer i) return i;
        if (o instanceof Long l && l > 10) return l - 10;
        if (o instanceof int[] a) return a.length;
        if (o instanceof CharSequence s) return s.length();
        return 10;
    }

    public static void main(String[] args) {
        int x = Verifier.nondetInt();
        Verifier.assume(x >= 0 && x < 1000);
        long size = size(choose(x));
        assert size >= 0 && size <= Math.max(x, 10);
    }
}
