// fails: java.lang.AssertionError
// stdin: 4
import java.io.IOException;

/** Four digits that pass the test of Luhn and begin with a nine. */
public class CardNumber {
    public static void main(String[] args) throws IOException {
        byte[] digits = System.in.readNBytes(4);
        if (digits.length != 4) return;
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            int d = digits[i] - '0';
            if (d < 0 || d > 9) return;
            if (i % 2 == 0) d = d > 4 ? 2 * d - 9 : 2 * d;
            sum += d;
        }
        assert sum % 10 != 0 || digits[0] != '9';
    }
}
