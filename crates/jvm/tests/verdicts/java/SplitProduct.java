// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** Two numbers with a space between them and a product that has only these factors. */
public class SplitProduct {
    public static void main(String[] args) {
        String[] parts = Verifier.nondetString().split(" ");
        if (parts.length != 2) return;
        try {
            int a = Integer.parseInt(parts[0]);
            int b = Integer.parseInt(parts[1]);
            assert a * b != 391 || a <= 1 || b <= 1;
        } catch (NumberFormatException e) {
            System.out.println("no number");
        }
    }
}
