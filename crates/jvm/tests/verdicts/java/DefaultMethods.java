// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** Default methods, overridden and called explicitly. */
public class DefaultMethods {
    interface Priced {
        int price();

        default int total(int count) { return price() * count; }
    }

    interface Reduced extends Priced {
        @Override
        default int total(int count) { return Priced.super.total(count) - Math.min(count, 10); }
    }

    static class Item implements Reduced {
        public int price() { return 7; }
    }

    public static void main(String[] args) {
        int count = Verifier.nondetInt();
        Verifier.assume(count >= 0 && count < 1000);
        Priced item = new Item();
        assert item.total(count) >= 6 * count;
        assert item.total(count) <= 7 * count;
    }
}
