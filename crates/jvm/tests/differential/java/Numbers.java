import java.util.*;

/** Arithmetic of every width, conversions, shifts, comparisons, text of numbers. */
public class Numbers {
    static final int[] INTS = {0, 1, -1, 2, 7, -7, 31, 32, 33, 255, 256, 65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, 1234567};
    static final long[] LONGS = {0, 1, -1, 2, 63, 64, 4294967296L, -4294967297L, Long.MAX_VALUE, Long.MIN_VALUE, 123456789012345L};
    static final float[] FLOATS = {0f, -0f, 1f, -1.5f, 3.4e38f, 1e-45f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2147483648f, 0.1f, 16777217f};
    static final double[] DOUBLES = {0, -0.0, 1, -2.5, 1e308, 4.9e-324, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 9.3e18, 0.1, 1e16, 123456.789};

    static String div(int a, int b) { try { return a / b + " " + a % b; } catch (ArithmeticException e) { return e.getMessage(); } }
    static String div(long a, long b) { try { return a / b + " " + a % b; } catch (ArithmeticException e) { return e.getMessage(); } }

    public static void main(String[] args) {
        for (int a : INTS) {
            for (int b : INTS) {
                System.out.println((a + b) + " " + (a - b) + " " + (a * b) + " " + div(a, b) + " " + (a & b) + " " + (a | b) + " " + (a ^ b)
                    + " " + (a << b) + " " + (a >> b) + " " + (a >>> b) + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b));
            }
            System.out.println((byte) a + " " + (short) a + " " + (int) (char) a + " " + (long) a + " " + (float) a + " " + (double) a + " " + -a + " " + ~a);
            System.out.println(Integer.toHexString(a) + " " + Integer.toBinaryString(a) + " " + Integer.bitCount(a) + " " + Integer.reverse(a) + " "
                + Integer.numberOfLeadingZeros(a) + " " + Integer.numberOfTrailingZeros(a) + " " + Integer.rotateLeft(a, 5) + " " + Integer.toUnsignedString(a)
                + " " + Integer.compareUnsigned(a, 7) + " " + Integer.divideUnsigned(a, 7) + " " + Math.abs(a) + " " + Integer.signum(a) + " " + Integer.toString(a, 36));
        }
        for (long a : LONGS) {
            for (long b : LONGS) {
                System.out.println((a + b) + " " + (a - b) + " " + (a * b) + " " + div(a, b) + " " + (a & b) + " " + (a | b) + " " + (a ^ b)
                    + " " + (a << b) + " " + (a >> b) + " " + (a >>> b) + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b));
            }
            System.out.println((byte) a + " " + (int) a + " " + (float) a + " " + (double) a + " " + -a + " " + Long.toHexString(a) + " " + Long.bitCount(a)
                + " " + Long.numberOfLeadingZeros(a) + " " + Long.toUnsignedString(a) + " " + Long.hashCode(a) + " " + Math.floorMod(a, 7) + " " + Long.reverseBytes(a));
        }
        for (float a : FLOATS) {
            for (float b : FLOATS) {
                System.out.println((a + b) + " " + (a - b) + " " + (a * b) + " " + (a / b) + " " + (a % b) + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b)
                    + " " + Float.compare(a, b) + " " + Math.max(a, b) + " " + Math.min(a, b));
            }
            System.out.println((int) a + " " + (long) a + " " + (double) a + " " + (byte) a + " " + (char) a + 0 + " " + Float.floatToIntBits(a) + " " + Math.round(a) + " " + -a + " " + Math.abs(a));
        }
        for (double a : DOUBLES) {
            for (double b : DOUBLES) {
                System.out.println((a + b) + " " + (a - b) + " " + (a * b) + " " + (a / b) + " " + (a % b) + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b)
                    + " " + Double.compare(a, b) + " " + Math.max(a, b) + " " + Math.min(a, b) + " " + Math.copySign(a, b) + " " + Math.IEEEremainder(a, b));
            }
            System.out.println((int) a + " " + (long) a + " " + (float) a + " " + Double.doubleToLongBits(a) + " " + Math.round(a) + " " + Math.floor(a) + " " + Math.ceil(a)
                + " " + Math.rint(a) + " " + Math.sqrt(a) + " " + Math.signum(a) + " " + Math.ulp(a) + " " + Math.getExponent(a) + " " + Double.toHexString(a) + " " + Math.cbrt(a) + " " + Math.nextUp(a));
        }
        for (double a : new double[] {0.1, 0.5, 1, 1.5, 2, 10, 100.25, -0.3, -2.7}) {
            System.out.println(StrictMath.sin(a) + " " + StrictMath.cos(a) + " " + StrictMath.tan(a) + " " + StrictMath.atan(a) + " " + StrictMath.exp(a) + " " + StrictMath.log(Math.abs(a))
                + " " + StrictMath.sinh(a) + " " + StrictMath.cosh(a) + " " + StrictMath.tanh(a) + " " + StrictMath.expm1(a) + " " + StrictMath.log1p(Math.abs(a)) + " " + StrictMath.pow(Math.abs(a), 1.7)
                + " " + StrictMath.asin(a / 101) + " " + StrictMath.acos(a / 101) + " " + StrictMath.atan2(a, 2) + " " + StrictMath.hypot(a, 3) + " " + StrictMath.log10(100) + " " + StrictMath.cbrt(a));
            System.out.println(Math.sin(a) + " " + Math.cos(a) + " " + Math.tan(a) + " " + Math.exp(a) + " " + Math.log(Math.abs(a)) + " " + Math.log10(Math.abs(a)) + " " + Math.pow(Math.abs(a), 2.5)
                + " " + Math.atan(a) + " " + Math.toDegrees(a) + " " + Math.toRadians(a));
        }
        System.out.println(Math.pow(1, Double.POSITIVE_INFINITY) + " " + Math.pow(Double.NaN, 0) + " " + Math.pow(2, 10) + " " + Math.pow(-8, 1.0 / 3) + " " + Math.pow(0, -1));
        int i = 5; i += 3.7; i <<= 2; i >>>= 1; i ^= 0x55; i %= 13; System.out.println(i);
        byte bb = (byte) 200; bb += 100; short ss = (short) 40000; ss *= 3; char cc = 'a'; cc++; System.out.println(bb + " " + ss + " " + cc);
        System.out.println(Integer.parseInt("-123") + Long.parseLong("99999999999") + " " + Double.parseDouble("1.5e-3") + " " + Float.parseFloat("3.25") + " " + Integer.parseInt("zz", 36) + " " + Integer.decode("0x1F"));
        for (String bad : new String[] {"", "x", "99999999999", "1.5"}) try { System.out.println(Integer.parseInt(bad)); } catch (NumberFormatException e) { System.out.println(e.getMessage()); }
        try { Math.addExact(Integer.MAX_VALUE, 1); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { Math.toIntExact(1L << 40); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        System.out.println(new java.math.BigInteger("123456789012345678901234567890").pow(3).mod(java.math.BigInteger.valueOf(1000007)) + " " + new java.math.BigDecimal("1.10").add(new java.math.BigDecimal("2.205")).setScale(2, java.math.RoundingMode.HALF_UP));
        Random r = new Random(42); System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextDouble() + " " + r.nextLong() + " " + r.nextBoolean() + " " + r.nextGaussian());
    }
}
