// holds
import java.util.Map;
import java.util.TreeMap;
import org.sosy_lab.sv_benchmarks.Verifier;

/** The mark of a number of points is that of the greatest limit below. */
public class TreeMapFloor {
    public static void main(String[] args) {
        TreeMap<Integer, String> marks = new TreeMap<>(Map.of(0, "F", 50, "D", 65, "C", 80, "B", 90, "A"));
        int points = Verifier.nondetInt();
        Map.Entry<Integer, String> mark = marks.floorEntry(points);
        if (points < 0) {
            assert mark == null;
        } else {
            assert mark.getKey() <= points;
            assert (mark.getValue().equals("A")) == (points >= 90);
        }
    }
}
