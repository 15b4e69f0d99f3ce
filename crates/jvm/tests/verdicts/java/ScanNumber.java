// fails: java.lang.AssertionError
// stdin: 5
import java.util.Scanner;

/** The same number, read by a scanner. */
public class ScanNumber {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        if (in.hasNextInt()) assert in.nextInt() != 4711;
    }
}
