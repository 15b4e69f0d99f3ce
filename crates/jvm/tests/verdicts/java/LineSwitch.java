// fails: java.lang.AssertionError
// stdin: 8
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** A word on a line is one of a switch. */
public class LineSwitch {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line = in.readLine();
        if (line == null) return;
        switch (line) {
            case "start":
                System.out.println("go");
                break;
            case "stop":
                assert false;
        }
    }
}
