import java.util.Arrays;

/** Every character of Latin-1, and some beyond, in every class and case that the machine computes by itself. */
public class Latin {
    static String word(char... cs) { return new String(cs); }

    /** Two cases of one hash, one beyond Latin-1, and an empty one. */
    static int kind(String s) {
        switch (s) {
            case "aB": return 1;
            case "b#": return 2;
            case "\u0178": return 3;
            case "": return 4;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        int[] beyond = {0x100, 0x131, 0x17f, 0x178, 0x39c, 0x660, 0x1e9e, 0x2003, 0x212a, 0x4e00, 0xff11, 0x1d7ce};
        for (int i = 0; i < 256 + beyond.length; i++) {
            int c = i < 256 ? i : beyond[i - 256];
            int classes = 0;
            boolean[] all = {
                Character.isDigit(c), Character.isLetter(c), Character.isLetterOrDigit(c), Character.isAlphabetic(c),
                Character.isUpperCase(c), Character.isLowerCase(c), Character.isWhitespace(c), Character.isSpaceChar(c),
            };
            for (boolean one : all) classes = 2 * classes + (one ? 1 : 0);
            StringBuilder digits = new StringBuilder();
            for (int radix : new int[] {1, 2, 8, 10, 11, 16, 36, 37}) digits.append(' ').append(Character.digit(c, radix));
            System.out.println(c + " " + classes + " " + Character.toLowerCase(c) + " " + Character.toUpperCase(c) + digits);
            if (c < 0x10000) {
                char d = (char) c;
                boolean same = Character.isDigit(d) == all[0] && Character.isLetter(d) == all[1] && Character.isWhitespace(d) == all[6];
                System.out.println(same + " " + (int) Character.toLowerCase(d) + " " + (int) Character.toUpperCase(d));
            }
        }
        String[] words = {"", "a", "A", "b", "\u00b5", "\u00df", "\u00e0", "\u00c0", "\u00f7", "\u00d7", "\u00ff", "aB", "Ab", "abc", "abd", "\u0178"};
        for (String a : words) {
            StringBuilder line = new StringBuilder();
            for (String b : words) {
                line.append(a.compareTo(b)).append(a.equals(b) ? "=" : "").append(a.equalsIgnoreCase(b) ? "~" : "");
                line.append(a.startsWith(b) ? "s" : "").append(a.startsWith(b, 1) ? "t" : "").append(a.endsWith(b) ? "e" : "");
                line.append(a.regionMatches(true, 0, b, 0, 1) ? "r" : "").append(Integer.signum(a.compareToIgnoreCase(b))).append(' ');
            }
            System.out.println(line + " " + a.hashCode() + " " + (a + "\u20ac" + a).hashCode() + " " + kind(a));
        }
        System.out.println(Arrays.equals(new byte[] {1, 2}, new byte[] {1, 2}) + " " + Arrays.equals(new byte[1], null) + " " + Arrays.equals((byte[]) null, null));
        for (long x : new long[] {-129, -128, 0, 127, 128}) {
            Integer i = (int) x, j = (int) x;
            Long l = x, k = x;
            Short s = (short) x, t = (short) x;
            Character c = (char) x, d = (char) x;
            Byte b = (byte) x;
            System.out.println((i == j) + " " + (l == k) + " " + (s == t) + " " + (c == d) + " " + b + i + l + s);
        }
    }
}
