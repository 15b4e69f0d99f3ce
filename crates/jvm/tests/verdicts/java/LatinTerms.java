// holds
import soundline.Symbolic;

/** What the machine says of a character of the input is what it says of each one by itself. */
public class LatinTerms {
    static int classes(int c) {
        int classes = Character.isDigit(c) ? 1 : 0;
        classes = 2 * classes + (Character.isLetter(c) ? 1 : 0);
        classes = 2 * classes + (Character.isLetterOrDigit(c) ? 1 : 0);
        classes = 2 * classes + (Character.isUpperCase(c) ? 1 : 0);
        classes = 2 * classes + (Character.isLowerCase(c) ? 1 : 0);
        classes = 2 * classes + (Character.isWhitespace(c) ? 1 : 0);
        return 2 * classes + (Character.isSpaceChar(c) ? 1 : 0);
    }

    public static void main(String[] args) {
        int[] classes = new int[256], lower = new int[256], upper = new int[256], digits = new int[256];
        for (int c = 0; c < 256; c++) {
            classes[c] = classes(c);
            lower[c] = Character.toLowerCase(c);
            upper[c] = Character.toUpperCase(c);
            digits[c] = Character.digit(c, 36);
        }
        int c = Symbolic.byteInput("c") & 0xff;
        assert lower[c] == Character.toLowerCase(c);
        assert upper[c] == Character.toUpperCase(c);
        assert digits[c] == Character.digit(c, 36);
        assert classes[c] == classes(c);
    }
}
