// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A list of up to four values turned round twice is the same list. */
public class ListReverse {
    record Cell(int head, Cell tail) {}

    static Cell reverse(Cell list) {
        Cell result = null;
        for (; list != null; list = list.tail()) result = new Cell(list.head(), result);
        return result;
    }

    public static void main(String[] args) {
        int n = Verifier.nondetInt();
        Verifier.assume(0 <= n && n <= 4);
        Cell list = null;
        for (int i = 0; i < n; i++) list = new Cell(Verifier.nondetInt(), list);
        Cell again = reverse(reverse(list));
        while (list != null) {
            assert list.head() == again.head();
            list = list.tail();
            again = again.tail();
        }
        assert again == null;
    }
}
