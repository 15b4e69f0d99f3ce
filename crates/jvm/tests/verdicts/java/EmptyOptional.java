// fails: java.util.NoSuchElementException
import java.util.stream.Stream;
import soundline.Symbolic;

/** No word is longer than a number of the input. */
public class EmptyOptional {
    public static void main(String[] args) {
        int length = Symbolic.intInput("length");
        System.out.println(Stream.of("a", "bb", "cccc").filter(s -> s.length() > length).findFirst().get());
    }
}
