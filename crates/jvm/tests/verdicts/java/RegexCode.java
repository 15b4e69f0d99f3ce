// fails: java.lang.AssertionError
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import soundline.Symbolic;

/** A code that matches, with a number that is not allowed. */
public class RegexCode {
    private static final Pattern CODE = Pattern.compile("([A-C])-(\\d{2})");

    public static void main(String[] args) {
        Matcher matcher = CODE.matcher(Symbolic.stringInput("code", 5));
        if (matcher.matches()) {
            int number = Integer.parseInt(matcher.group(2));
            assert number < 42 || !matcher.group(1).equals("B");
        }
    }
}
