package soundline;

import java.util.HashMap;
import java.util.Map;

/**
 * Inputs of a program under exploration. On a real JVM each is read from the system property soundline.NAME, as hexadecimal
 * bytes, the lowest first; what is not given is zero.
 */
public final class Symbolic {
    private static final Map<String, Integer> COUNTS = new HashMap<>();

    private Symbolic() {}

    public static boolean booleanInput(String name) { return (word(name, 1) & 1) != 0; }

    public static byte byteInput(String name) { return (byte) word(name, 1); }

    public static char charInput(String name) { return (char) word(name, 2); }

    public static short shortInput(String name) { return (short) word(name, 2); }

    public static int intInput(String name) { return (int) word(name, 4); }

    public static long longInput(String name) { return word(name, 8); }

    public static float floatInput(String name) { return Float.intBitsToFloat((int) word(name, 4)); }

    public static double doubleInput(String name) { return Double.longBitsToDouble(word(name, 8)); }

    /** A string of at most so many characters from 1 to 255. */
    public static String stringInput(String name, int size) {
        byte[] bytes = bytesInput(name, size);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < size && bytes[i] != 0; i++) text.append((char) (bytes[i] & 0xff));
        return text.toString();
    }

    public static byte[] bytesInput(String name, int size) {
        int count = COUNTS.merge(name, 1, Integer::sum);
        String text = System.getProperty("soundline." + (count == 1 ? name : name + "#" + count), "");
        byte[] bytes = new byte[size];
        for (int i = 0; i < size && 2 * i + 1 < text.length(); i++) bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
        return bytes;
    }

    /** Forgets what was asked for: the next input of a name is its first again. For tests that run a program several times in one JVM. */
    public static void restart() { COUNTS.clear(); }

    /** Inputs that do not fit are of no interest: the program ends. */
    public static void assume(boolean condition) {
        if (!condition) Runtime.getRuntime().halt(0);
    }

    private static long word(String name, int size) {
        byte[] bytes = bytesInput(name, size);
        long word = 0;
        for (int i = size - 1; i >= 0; i--) word = word << 8 | bytes[i] & 0xff;
        return word;
    }
}
