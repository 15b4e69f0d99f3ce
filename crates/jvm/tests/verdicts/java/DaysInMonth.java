// fails: java.lang.AssertionError
import gov.nasa.jpf.symbc.Debug;

/** A year that is divisible by a hundred is taken for a leap year. */
public class DaysInMonth {
    static boolean leap(int year) { return year % 4 == 0; }

    static int days(int year, int month) {
        return switch (month) {
            case 4, 6, 9, 11 -> 30;
            case 2 -> leap(year) ? 29 : 28;
            default -> 31;
        };
    }

    public static void main(String[] args) {
        int year = Debug.makeSymbolicInteger("year"), month = Debug.makeSymbolicInteger("month");
        Debug.assume(year > 2000 && year < 2500 && month >= 1 && month <= 12);
        int days = days(year, month);
        assert days >= 28 && days <= 31;
        if (year == 2100 && month == 2) assert days == 28;
    }
}
