import java.math.*;
import java.text.*;
import java.util.*;
import java.util.regex.*;

/** Strings, builders, formatting, numbers to text and back, regular expressions. */
public class Text {
    interface Case { Object run() throws Exception; }
    static int count, first = 1;
    static void is(String name, Case c) {
        if (++count < first) return;
        String text;
        try { text = String.valueOf(c.run()); } catch (Throwable t) { text = "threw " + t; }
        System.out.println(count + " " + name + ": " + text);
    }
    static String all(double... ds) { StringBuilder b = new StringBuilder(); for (double d : ds) b.append(d).append(' ').append((float) d).append(' '); return b.toString(); }

    public static void main(String[] args) {
        if (args.length > 0) first = Integer.parseInt(args[0]);
        is("doubles", () -> all(0, -0.0, 1, 0.1, 1e7, 1e-3, 123456789.125, 1e21, 1.0E-5, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, 1.0 / 0, 2e-3, 9.999999e6, 1e23, 4.35, 100, 3.4e38));
        is("parseDouble", () -> all(Double.parseDouble("1e400"), Double.parseDouble("-1.5e-3"), Double.parseDouble(" 42 "), Double.parseDouble("0x1.8p1"), Double.parseDouble("NaN"), Double.parseDouble("-Infinity"), Double.parseDouble("1d"), Double.parseDouble("4.9e-324"), Double.parseDouble("2.2250738585072012e-308")));
        is("parseDouble bad", () -> Double.parseDouble("1.2.3"));
        is("parseDouble empty", () -> Double.parseDouble(""));
        is("parseInt bad", () -> Integer.parseInt("12x"));
        is("parseInt empty", () -> Integer.parseInt(""));
        is("parseInt null", () -> Integer.parseInt(null));
        is("parseInt big", () -> Integer.parseInt("2147483648"));
        is("parseInt radix", () -> Integer.parseInt("-7f", 16) + " " + Integer.parseInt("+12") + " " + Integer.parseUnsignedInt("4294967295") + " " + Long.parseLong("-9223372036854775808") + " " + Integer.valueOf("77", 8) + " " + Integer.decode("0x1F") + " " + Long.decode("-010"));
        is("parseLong bad", () -> Long.parseLong("9223372036854775808"));
        is("toString radix", () -> Integer.toBinaryString(-8) + " " + Integer.toHexString(-1) + " " + Integer.toOctalString(64) + " " + Long.toHexString(Long.MIN_VALUE) + " " + Integer.toString(-123, 36) + " " + Integer.toUnsignedString(-1) + " " + Long.toUnsignedString(-1L) + " " + Long.toString(Long.MIN_VALUE));
        is("bits", () -> Integer.bitCount(0xf0f0) + " " + Integer.highestOneBit(1000) + " " + Integer.numberOfLeadingZeros(1) + " " + Integer.numberOfTrailingZeros(64) + " " + Integer.reverse(1) + " " + Integer.rotateLeft(0x80000001, 4) + " " + Long.bitCount(-1L) + " " + Integer.reverseBytes(0x01020304) + " " + Long.numberOfLeadingZeros(0) + " " + Integer.signum(-9) + " " + Integer.compareUnsigned(-1, 1) + " " + Integer.divideUnsigned(-1, 3) + " " + Long.remainderUnsigned(-1L, 10));
        is("exact", () -> Math.addExact(1, 2) + " " + Math.multiplyExact(1L << 31, 2L) + " " + Math.floorMod(-7, 3) + " " + Math.floorDiv(-7, 3) + " " + Math.abs(Integer.MIN_VALUE) + " " + Math.negateExact(5) + " " + Math.toIntExact(77L));
        is("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        is("multiplyExact", () -> Math.multiplyExact(Long.MAX_VALUE, 2L));
        is("toIntExact", () -> Math.toIntExact(1L << 40));
        is("chars", () -> { StringBuilder b = new StringBuilder(); for (char c = 'a'; c < 'k'; c += 2) b.append((char) (c - 32)).append((int) c).append(c + 1).append((char) (c + 1)); return b; });
        is("builder", () -> new StringBuilder().append(1).append('c').append("s").append(2L).append(1.5f).append(2.5).append(true).append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 1, 3).append((String) null).insert(0, "<<").insert(3, 3.25).replace(1, 2, "---").delete(0, 1).reverse());
        is("builder2", () -> { StringBuilder b = new StringBuilder("hello"); b.setLength(3); b.ensureCapacity(100); b.appendCodePoint(0x1F600); b.setCharAt(0, 'J'); return b + " " + b.length() + " " + b.charAt(1) + " " + b.indexOf("l") + " " + b.lastIndexOf("x") + " " + b.compareTo(new StringBuilder("Jem")) + " " + b.chars().count() + " " + b.codePointAt(3); });
        is("builder bad", () -> new StringBuilder("abc").charAt(3));
        is("builder bad2", () -> new StringBuilder("abc").deleteCharAt(5));
        is("builder bad3", () -> new StringBuilder("abc").insert(9, "x"));
        is("charAt bad", () -> "abc".charAt(-1));
        is("substring bad", () -> "abc".substring(2, 1));
        is("substring bad2", () -> "abc".substring(4));
        is("utf16 builder", () -> new StringBuilder("a\u4e2d").append("z").insert(1, 'q').reverse().toString() + "x\ud83d\ude00y".codePoints().boxed().toList());
        is("split", () -> Arrays.toString("a:b::c:".split(":")) + Arrays.toString("a:b::c:".split(":", -1)) + Arrays.toString("a:b::c:".split(":", 2)) + Arrays.toString("boo:and:foo".split("o")) + Arrays.toString("".split(",")) + Arrays.toString("a.b.c".split("\\.")) + Arrays.toString("x1y22z".split("(?<=\\d)")) + Arrays.toString(" a  b ".trim().split("\\s+")));
        is("case", () -> "TITLE".toLowerCase(Locale.ROOT) + "ÀÉî".toLowerCase() + "straße ŉ".toUpperCase() + "ΑΣ".toLowerCase() + Character.toTitleCase('ǆ'));
        is("strip", () -> "[" + "\u2003 x \t".strip() + "][" + " x ".stripLeading() + "][" + " x ".stripTrailing() + "][" + "  x\n y".indent(2) + "][" + "   a\n  b\n".stripIndent() + "][" + "a\\tb\\n".translateEscapes() + "]");
        is("text block", () -> """
            Hello,
              "World" \
            joined
            tab\there
            """);
        is("lines", () -> "a\nb\r\nc\rd".lines().toList());
        is("compare", () -> "apple".compareTo("banana") + " " + "a".compareTo("abc") + " " + "B".compareToIgnoreCase("a") + " " + "abc".regionMatches(true, 1, "XBC", 1, 2) + " " + "abc".contentEquals(new StringBuilder("abc")) + " " + "x".compareTo("\u4e2d"));
        is("index", () -> "banana".indexOf('a', 2) + " " + "banana".indexOf("an", 2) + " " + "banana".lastIndexOf("an") + " " + "banana".lastIndexOf('z') + " " + "banana".indexOf("") + " " + "ba\u4e2dna".indexOf("\u4e2dn") + " " + "banana".endsWith("na") + " " + "banana".startsWith("nan", 2));
        is("valueOf", () -> String.valueOf(new char[] {'o', 'k'}) + String.valueOf((Object) null) + String.valueOf(1.0f) + String.copyValueOf(new char[] {'a', 'b', 'c'}, 1, 2) + new String(new char[] {'h', 'i'}) + new String(new int[] {0x1F600, 65}, 0, 2) + String.valueOf('c') + String.valueOf(true));
        is("hash", () -> "".hashCode() + " " + "polygenelubricants".hashCode() + " " + "\u4e2d\u6587".hashCode() + " " + Objects.hash("a", 1, 2.5) + " " + Arrays.deepHashCode(new Object[] {1, new int[] {2}}) + " " + Double.hashCode(1.5) + " " + Boolean.hashCode(true) + " " + Long.hashCode(1L << 33) + " " + Character.hashCode('x') + " " + Float.hashCode(2.5f) + " " + new AbstractMap.SimpleEntry<>("k", 3).hashCode());
        is("format int", () -> String.format("[%d][%5d][%-5d][%05d][%+d][% d][%(d][%,d][%x][%X][%#x][%o][%#o][%08X]", -42, 42, 42, 42, 42, 42, -42, -1234567, 255, 255, 255, 8, 8, 48879));
        is("format long", () -> String.format("[%d][%x][%,15d][%-15d|]", Long.MIN_VALUE, -1L, 123456789012L, 7L));
        is("format byte", () -> String.format("[%x][%d][%x]", (byte) -1, (short) -5, (short) -1));
        is("format big", () -> String.format("[%d][%x][%,d][%.3f][%e]", new BigInteger("123456789012345678901234567890"), new BigInteger("255"), new BigInteger("-1234567"), new BigDecimal("3.14159"), new BigDecimal("12345.678")));
        is("format float", () -> String.format("[%f][%.0f][%.1f][%10.2f][%-10.2f][%010.2f][%+.2f][%,.2f][%e][%.2E][%g][%.3g][%a]", 1.5, 0.5, 0.25, 3.14159, 3.14159, -3.14159, 2.0, 1234567.891, 12345.678, 0.00012, 0.0001, 123456.0, 0.1));
        is("format round", () -> String.format("%.2f %.2f %.2f %.1f %.0f %.0f %.3f", 1.005, 2.675, 1.115, 0.05, 1.5, 2.5, 1e-4));
        is("format special", () -> String.format("%f %5.1f %e %s", Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Float.NaN));
        is("format string", () -> String.format("[%s][%10s][%-10s][%.2s][%S][%c][%C][%b][%B][%h][%n][%%]", "abc", "abc", "abc", "abc", "abc", 'x', 'y', true, null, "hi").replace("\n", "\\n"));
        is("format index", () -> String.format("%2$s-%1$s-%<s %s", "a", "b"));
        is("format null", () -> String.format("%s %d %b %c %f", null, null, null, null, null));
        is("format list", () -> String.format("%s %s %s", List.of(1, 2), Map.of("k", 1), Arrays.asList("x", null)));
        is("format missing", () -> String.format("%d %d", 1));
        is("format wrong", () -> String.format("%d", 1.5));
        is("format unknown", () -> String.format("%q", 1));
        is("format flags", () -> String.format("%-d", 1));
        is("format width *", () -> String.format("%5c|%-5b|%5b", 'a', true, false));
        is("format date", () -> String.format("%tY-%<tm-%<td", new GregorianCalendar(2020, Calendar.MARCH, 5)));
        is("decimal format", () -> new DecimalFormat("0.###").format(3.14159) + " " + new DecimalFormat("000.00").format(-2.5) + " " + new DecimalFormat("#%").format(0.256) + " " + new DecimalFormat("0.00E0").format(12345) + " " + new DecimalFormat("$#,##0.00").format(1e6));
        is("number format", () -> NumberFormat.getInstance(Locale.US).format(1234567.891) + " " + NumberFormat.getPercentInstance(Locale.US).format(0.75) + " " + NumberFormat.getCurrencyInstance(Locale.US).format(12.5) + " " + NumberFormat.getIntegerInstance(Locale.US).format(2.5));
        is("message format", () -> MessageFormat.format("{0} has {1,number} of {2}", "Bob", 1234, List.of(1)));
        is("regex groups", () -> { Matcher m = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 2021-05 and 1999-12"); StringBuilder b = new StringBuilder(); while (m.find()) b.append(m.group("year")).append('/').append(m.group("month")).append('@').append(m.start()).append('-').append(m.end(1)).append(' '); return b; });
        is("regex replace", () -> "a1b22".replaceAll("(\\d+)", "<$1>") + " " + Pattern.compile("\\b(\\w)(\\w*)").matcher("the quick fox").replaceAll(r -> r.group(1).toUpperCase() + r.group(2)) + " " + "x.y".replace(".", "\\") + " " + Matcher.quoteReplacement("$1"));
        is("regex features", () -> "aaa".matches("a{2,3}") + " " + "abab".matches("(ab)\\1") + " " + "foobar".replaceAll("foo(?=bar)", "X") + " " + "foobaz".replaceAll("foo(?!bar)", "X") + " " + "A1".matches("\\p{Upper}\\p{Digit}") + " " + "é".matches("\\p{L}") + " " + "a\nb".matches("(?s)a.b") + " " + Pattern.compile("^b$", Pattern.MULTILINE).matcher("a\nb\nc").find() + " " + "aXbX".split("X").length + " " + "[a]".matches("\\Q[a]\\E") + " " + "abc".matches("[a-c&&[^b]]+") + " " + "aab".replaceAll("a*+b", "z") + " " + "ab12".matches("(?i)AB\\d+"));
        is("regex bad", () -> Pattern.compile("a(b"));
        is("regex bad2", () -> Pattern.compile("*a"));
        is("regex find", () -> { Matcher m = Pattern.compile("o").matcher("foo boo"); int n = 0; while (m.find()) n++; return n + " " + m.reset().lookingAt() + " " + m.hitEnd() + " " + m.groupCount(); });
        is("regex state", () -> Pattern.compile("x").matcher("y").group());
        is("regex split stream", () -> Pattern.compile(",").splitAsStream("a,b,c").toList() + " " + Pattern.compile("\\d").asPredicate().test("a1"));
        is("tokenizer", () -> { StringTokenizer t = new StringTokenizer("a=1;b=2", "=;", true); StringBuilder b = new StringBuilder(); while (t.hasMoreTokens()) b.append('[').append(t.nextToken()).append(']'); return b; });
        is("joiner", () -> new StringJoiner(", ", "[", "]").setEmptyValue("none") + " " + String.join("/", List.of("a", "b")) + " " + new StringJoiner("-").add("x").add("y").length());
        is("char class", () -> { StringBuilder b = new StringBuilder(); for (char c : new char[] {'a', 'Z', '5', ' ', '_', '\n', 'é', '\u4e2d', '\u0660', '$'}) b.append(Character.isLetter(c) ? 'L' : '-').append(Character.isDigit(c) ? 'D' : '-').append(Character.isWhitespace(c) ? 'W' : '-').append(Character.isUpperCase(c) ? 'U' : '-').append(Character.isLetterOrDigit(c) ? 'A' : '-').append(Character.isJavaIdentifierPart(c) ? 'J' : '-').append(Character.getNumericValue(c)).append(Character.getType(c)).append(' '); return b; });
        is("char digits", () -> Character.digit('f', 16) + " " + Character.forDigit(11, 16) + " " + Character.digit('9', 8) + " " + (char) ('a' + 1) + " " + (int) 'z' + " " + Character.reverseBytes('a') + " " + Character.compare('a', 'b') + " " + Character.valueOf('q') + " " + Character.getName('a') + " " + Character.isSurrogate('\ud800') + " " + Character.charCount(0x10000) + " " + Character.toChars(0x1F600).length);
        is("bytes", () -> Arrays.toString("aé€😀".getBytes("UTF-8")) + Arrays.toString("aé".getBytes("ISO-8859-1")) + Arrays.toString("aé".getBytes("UTF-16")) + Arrays.toString("aé€".getBytes("US-ASCII")) + new String(new byte[] {(byte) 0xff, 65}, "UTF-8").length());
        is("bytes bad", () -> "a".getBytes("no-such"));
        is("bigint", () -> { BigInteger a = new BigInteger("123456789012345678901234567890"), b = BigInteger.valueOf(987654321); return a.add(b) + " " + a.subtract(b) + " " + a.multiply(a) + " " + a.divide(b) + " " + a.mod(b) + " " + a.negate().mod(b) + " " + a.remainder(b) + " " + b.pow(7) + " " + a.gcd(b) + " " + a.bitLength() + " " + a.toString(16) + " " + b.modPow(BigInteger.TEN, BigInteger.valueOf(1000007)) + " " + b.modInverse(BigInteger.valueOf(1000007)) + " " + a.sqrt() + " " + a.shiftLeft(5) + " " + a.shiftRight(70) + " " + a.signum() + " " + a.compareTo(b) + " " + a.longValue() + " " + a.doubleValue() + " " + b.isProbablePrime(10) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + a.testBit(3) + " " + a.hashCode() + " " + Arrays.toString(b.toByteArray()); });
        is("bigint bad", () -> new BigInteger("12a"));
        is("bigint zero", () -> BigInteger.ONE.divide(BigInteger.ZERO));
        is("bigint exact", () -> BigInteger.TWO.pow(70).longValueExact());
        is("factorial", () -> { BigInteger f = BigInteger.ONE; for (int i = 1; i <= 60; i++) f = f.multiply(BigInteger.valueOf(i)); return f; });
        is("bigdec", () -> { BigDecimal a = new BigDecimal("123.456"), b = new BigDecimal("7.89"); return a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b, 10, RoundingMode.HALF_UP) + " " + a.divide(b, MathContext.DECIMAL32) + " " + a.setScale(1, RoundingMode.HALF_EVEN) + " " + a.negate().setScale(0, RoundingMode.FLOOR) + " " + a.scale() + " " + a.precision() + " " + a.unscaledValue() + " " + new BigDecimal("1E+5") + " " + new BigDecimal("1E+5").toPlainString() + " " + new BigDecimal("0.000001234") + " " + new BigDecimal("0.0000001234") + " " + new BigDecimal("100").stripTrailingZeros() + " " + a.remainder(b) + " " + a.pow(3) + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + a.compareTo(b) + " " + new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " " + new BigDecimal("2").sqrt(MathContext.DECIMAL64) + " " + a.doubleValue() + " " + a.toBigInteger() + " " + a.max(b) + " " + a.hashCode() + " " + a.round(new MathContext(2)) + " " + a.movePointLeft(5) + " " + new BigDecimal("1234.5E3").toEngineeringString(); });
        is("bigdec inexact", () -> BigDecimal.ONE.divide(new BigDecimal(3)));
        is("bigdec rounding", () -> { StringBuilder b = new StringBuilder(); for (RoundingMode r : RoundingMode.values()) if (r != RoundingMode.UNNECESSARY) b.append(r).append(new BigDecimal("-2.5").setScale(0, r)).append(' '); return b; });
        is("bigdec unnecessary", () -> new BigDecimal("2.5").setScale(0, RoundingMode.UNNECESSARY));
        is("boxes", () -> { Integer a = 127, b = 127, c = 128, d = 128; Long e = 5L; return (a == b) + " " + (c == d) + " " + c.equals(d) + " " + e.equals(5) + " " + a.compareTo(c) + " " + Integer.valueOf(5).hashCode() + " " + Byte.valueOf((byte) 300) + " " + Short.parseShort("-5") + " " + Double.valueOf("2.5").intValue() + " " + Boolean.parseBoolean("TRUE") + " " + Character.valueOf('x').compareTo('z') + " " + Float.compare(0f, -0f) + " " + Double.isNaN(0.0 / 0) + " " + Double.MIN_NORMAL + " " + Integer.MIN_VALUE + " " + Float.MAX_VALUE + " " + Long.MAX_VALUE; });
        is("unbox null", () -> { Integer n = null; int k = n; return k; });
        is("string pool", () -> ("ab" == "a" + "b") + " " + (new String("ab") == "ab") + " " + (new String("ab").intern() == "ab"));
        is("concat", () -> { String s = null; char c = 'x'; long l = 5; float f = 1.1f; double d = 1e10; boolean b = true; byte y = -1; Object o = new int[0].length; return "" + s + c + l + f + d + b + y + o + 1 + 2 + (1 + 2) + 'a' + ('a' + 1); });
        is("chained", () -> { String s = ""; for (int i = 0; i < 10; i++) s += i + ","; s += 'c'; return s; });
        is("hex format", () -> HexFormat.of().formatHex(new byte[] {1, -1, 127}) + " " + HexFormat.of().parseHex("ff00")[0]);
        is("date format", () -> { SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss EEE MMM", Locale.US); f.setTimeZone(TimeZone.getTimeZone("UTC")); return f.format(new Date(1234567890123L)) + " " + f.parse("2009-02-13 23:31:30 Fri Feb").getTime(); });
        is("choice", () -> new ChoiceFormat("0#none|1#one|2#many {0}").format(5) + new MessageFormat("{0,choice,0#no files|1#one file|1<{0} files}").format(new Object[] {3}));
        is("collator", () -> { String[] w = {"b", "A", "a", "B"}; Arrays.sort(w, String.CASE_INSENSITIVE_ORDER); return Arrays.toString(w); });
        is("normalizer", () -> Normalizer.normalize("é", Normalizer.Form.NFD).length());
        is("locale", () -> Locale.US + " " + Locale.forLanguageTag("de-DE").getCountry() + " " + Locale.getDefault().getLanguage().length());
    }
}
