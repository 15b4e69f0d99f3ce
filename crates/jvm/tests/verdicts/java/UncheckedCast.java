// fails: java.lang.ClassCastException
import java.util.ArrayList;
import java.util.List;
import org.sosy_lab.sv_benchmarks.Verifier;

/** A raw list takes what its reader does not expect. */
public class UncheckedCast {
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void add(List list, int x) {
        if (x < 100) list.add("s" + (x & 1));
        else list.add(x);
    }

    public static void main(String[] args) {
        List<String> list = new ArrayList<>();
        add(list, 1);
        add(list, Verifier.nondetByte());
        int length = 0;
        for (String s : list) length += s.length();
        assert length == 4;
    }
}
