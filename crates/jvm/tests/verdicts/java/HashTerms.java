// holds
import soundline.Symbolic;

/** The hash of a string of the input is what its definition says, and a switch on it goes where a chain of comparisons does. */
public class HashTerms {
    static int number(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "on": return 3;
            case "": return 4;
            default: return 0;
        }
    }

    static int chain(String s) {
        return s.equals("Aa") ? 1 : s.equals("BB") ? 2 : s.equals("on") ? 3 : s.isEmpty() ? 4 : 0;
    }

    public static void main(String[] args) {
        String s = Symbolic.stringInput("s", 2);
        int hash = 0;
        for (int i = 0; i < s.length(); i++) hash = 31 * hash + s.charAt(i);
        assert hash == s.hashCode();
        assert number(s) == chain(s);
    }
}
