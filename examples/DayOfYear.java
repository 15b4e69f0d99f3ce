/* soundline explore examples/DayOfYear.java --stdin 4: reads MMDD and prints the day of the year. One month is wrong. */
import java.io.IOException;

public class DayOfYear {
    private static final int[] LENGTHS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    /** A number of two digits, or -1. */
    private static int number() throws IOException {
        int tens = System.in.read() - '0', ones = System.in.read() - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : 10 * tens + ones;
    }

    public static void main(String[] arguments) throws IOException {
        int month = number(), day = number();
        if (month < 0 || month > 12 || day < 1 || day > LENGTHS[month - 1]) {
            System.out.println("no date");
            return;
        }
        for (int before = 0; before < month - 1; before++) {
            day += LENGTHS[before];
        }
        System.out.println(day);
    }
}
