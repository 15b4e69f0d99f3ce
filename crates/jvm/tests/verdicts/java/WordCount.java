// fails: java.lang.AssertionError
import java.util.HashMap;
import java.util.Map;
import soundline.Symbolic;

/** A word that is counted three times. */
public class WordCount {
    public static void main(String[] args) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : "to be or not to be".split(" ")) counts.merge(word, 1, Integer::sum);
        counts.merge(Symbolic.stringInput("word", 3), 1, Integer::sum);
        assert counts.getOrDefault("be", 0) < 3;
    }
}
