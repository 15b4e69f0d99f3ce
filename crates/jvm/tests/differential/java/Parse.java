import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers in text, with the lines that throw; local records; arrays that no JVM makes; text that is not in Latin-1. */
public class Parse {
    static final String[] TEXTS = {
        "", "0", "-0", "+7", "-", "+", "/1", "*", "12", "-98765", "4711", "x", "1x", "12 ", " 12", "2147483647", "2147483648", "-2147483648",
        "-2147483649", "2147483650", "21474836470", "99999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "92233720368547758070", "000000000000000000000000000012", "zz", "-ZZ", "7fffffff", "-80000000", "80000000",
        "7fffffffffffffff", "-8000000000000000", "8000000000000000", "1010101", "--1", "+-1", "\u00b2", "\u0663\u0664", "1\u20ac",
        "0000000000000000000000000000000000000000000000000000000000000000000000009", null,
    };

    static String told(NumberFormatException e) {
        StringBuilder all = new StringBuilder(String.valueOf(e.getMessage()));
        for (StackTraceElement element : e.getStackTrace()) all.append(" < ").append(element.getMethodName()).append(element.getLineNumber());
        return all.toString();
    }

    static void numbers() {
        for (int radix : new int[] {10, 2, 8, 16, 36, 3, 1, 37}) {
            for (String text : TEXTS) {
                try {
                    System.out.println(text + " " + radix + " " + Integer.parseInt(text, radix));
                } catch (NumberFormatException e) {
                    System.out.println(told(e));
                }
                try {
                    System.out.println(text + " " + radix + " " + Long.parseLong(text, radix));
                } catch (NumberFormatException e) {
                    System.out.println(told(e));
                }
            }
        }
        for (String text : TEXTS) {
            try {
                System.out.println(Integer.valueOf(text) + " " + Byte.parseByte(text) + " " + Integer.decode(text));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    static void text() {
        char[][] all = {{}, {'a', 'z'}, {'\u00e9', '\u00ff'}, {'a', '\u0100'}, {'\u20ac', 'b', 'c'}};
        for (char[] some : all) {
            String one = new String(some);
            String two = new StringBuilder().append('\u20ac').append(some).append('x').substring(1);
            byte[] bytes = one.getBytes(StandardCharsets.UTF_8);
            System.out.println(one + " " + two + " " + one.equals(two.substring(0, one.length())) + " " + Arrays.toString(bytes) + " "
                + new String(bytes, StandardCharsets.UTF_8).equals(one) + " " + new String(some, 0, some.length / 2).length());
        }
        try {
            System.out.println(new String(new char[2], 1, 2));
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    static void limits() {
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
            try {
                System.out.println(new byte[length].length);
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    public static void main(String[] args) {
        record Local(int p, String q) {}
        record Empty() {}
        System.out.println(new Local(1, "z") + " " + new Empty());
        numbers();
        text();
        limits();
    }
}
