// holds
// stdin: 2
import java.io.IOException;

/** What two bytes can say lies between -9 and 99. */
public class ParseDigits {
    public static void main(String[] args) throws IOException {
        int a = System.in.read(), b = System.in.read();
        String text = "" + (char) a + (char) b;
        try {
            int x = Integer.parseInt(text);
            assert x >= -9 && x <= 99;
        } catch (NumberFormatException e) {
            assert a < '0' || a > '9' || b < '0' || b > '9';
        }
    }
}
