// fails: java.lang.StringIndexOutOfBoundsException
import soundline.Symbolic;

/** A setting that ends with its equals sign. */
public class KeyValue {
    public static void main(String[] args) {
        String line = Symbolic.stringInput("line", 4);
        int at = line.indexOf('=');
        if (at <= 0) return;
        char first = line.charAt(at + 1);
        System.out.println(first == '"' ? "quoted" : "plain");
    }
}
