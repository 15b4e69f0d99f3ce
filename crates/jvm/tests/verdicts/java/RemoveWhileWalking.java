// fails: java.util.ConcurrentModificationException
import java.util.ArrayList;
import java.util.List;
import org.sosy_lab.sv_benchmarks.Verifier;

/** A list is changed while it is walked. */
public class RemoveWhileWalking {
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(3, 1, 4, 1, 5));
        int unwanted = Verifier.nondetInt();
        for (Integer x : list) if (x == unwanted) list.remove(x);
    }
}
