// fails: java.lang.AssertionError
// stdin: 6
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** One number on a line is refused. */
public class ReadNumber {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line = in.readLine();
        try {
            assert Integer.parseInt(line) != 4711;
        } catch (NumberFormatException e) {
            System.out.println("no number");
        }
    }
}
