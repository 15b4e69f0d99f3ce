// holds
import soundline.Symbolic;

/** Letters moved by thirteen places twice are the same letters. */
public class Caesar {
    static String rotate(String text) {
        StringBuilder result = new StringBuilder();
        for (char c : text.toCharArray()) result.append(Character.isLowerCase(c) && c < 128 ? (char) ((c - 'a' + 13) % 26 + 'a') : c);
        return result.toString();
    }

    public static void main(String[] args) {
        String text = Symbolic.stringInput("text", 2);
        assert rotate(rotate(text)).equals(text);
    }
}
