// fails: java.lang.IllegalStateException
import soundline.Symbolic;

/** A string with the hash of a case that is not the case goes to the default. */
public class HashCollision {
    public static void main(String[] args) {
        String s = Symbolic.stringInput("s", 2);
        switch (s) {
            case "Aa":
                break;
            default:
                if (s.hashCode() == "Aa".hashCode()) throw new IllegalStateException(s);
        }
    }
}
