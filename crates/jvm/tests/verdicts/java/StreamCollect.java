// holds
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sosy_lab.sv_benchmarks.Verifier;

/** What a filter keeps and what it drops is all there was. */
public class StreamCollect {
    public static void main(String[] args) {
        int limit = Verifier.nondetInt();
        List<Integer> all = List.of(4, 8, 15, 16, 23, 42);
        var parts = all.stream().collect(Collectors.partitioningBy(x -> x < limit));
        assert parts.get(true).size() + parts.get(false).size() == all.size();
        String joined = Stream.concat(parts.get(true).stream(), parts.get(false).stream())
            .map(String::valueOf)
            .collect(Collectors.joining(","));
        assert joined.equals("4,8,15,16,23,42");
    }
}
