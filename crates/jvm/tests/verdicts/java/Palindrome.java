// holds
import soundline.Symbolic;

/** A text turned round twice is the same; what reads the same backwards has its first character last. */
public class Palindrome {
    public static void main(String[] args) {
        String s = Symbolic.stringInput("s", 4);
        String back = new StringBuilder(s).reverse().toString();
        assert new StringBuilder(back).reverse().toString().equals(s);
        if (!s.isEmpty() && s.equals(back)) assert s.charAt(0) == s.charAt(s.length() - 1);
    }
}
