import java.util.*;

/** Math and StrictMath bit for bit, floats, rounding, conversions. */
public class Floats {
    static int count;
    static void out(String name, long bits) { System.out.println(++count + " " + name + ": " + Long.toHexString(bits)); }
    interface F { double of(double x); }
    interface G { double of(double x, double y); }
    static final double[] EDGE = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, 10, 1e-10, 1e10, 1e100, -1e100, 1e300, 1e-300, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, 1 / 0.0, -1 / 0.0, Math.PI, Math.PI / 2, Math.PI / 4, Math.E, 0.7, 0.8, 22, 709.7, 710, -745, -746, 1 + 1e-15, 3, 100, 1e5, 1e6, 823549.6};
    static double[] args() { Random r = new Random(1); double[] a = Arrays.copyOf(EDGE, EDGE.length + 400); for (int i = EDGE.length; i < a.length; i++) { int k = i % 4; double d = r.nextDouble() * 2 - 1; a[i] = k == 0 ? d : k == 1 ? d * 10 : k == 2 ? d * 1000 : Math.scalb(d, r.nextInt(600) - 300); } return a; }
    static void f(String name, F f) { StringBuilder b = new StringBuilder(); long h = 0; double[] a = args(); for (int i = 0; i < a.length; i++) { long bits = Double.doubleToLongBits(f.of(a[i])); h = h * 31 + bits; if (i % 8 == 7) { b.append(' ').append(Long.toHexString((h ^ h >>> 32) & 0xffff)); h = 0; } } System.out.println(++count + " " + name + ":" + b); }
    static void g(String name, G g) { StringBuilder b = new StringBuilder(); double[] a = args(); for (int i = 0; i < EDGE.length; i++) { long h = 0; for (int j = 0; j < EDGE.length; j++) h = h * 31 + Double.doubleToLongBits(g.of(a[i], a[j])); b.append(' ').append(Long.toHexString((h ^ h >>> 32) & 0xffff)); } long h = 0; for (int i = EDGE.length; i + 1 < a.length; i++) { h = h * 31 + Double.doubleToLongBits(g.of(a[i], a[i + 1])); if (i % 16 == 0) { b.append(' ').append(Long.toHexString((h ^ h >>> 32) & 0xffff)); h = 0; } } System.out.println(++count + " " + name + ":" + b); }

    public static void main(String[] args) {
        f("strict sin", StrictMath::sin); f("strict cos", StrictMath::cos); f("strict tan", StrictMath::tan); f("strict asin", StrictMath::asin); f("strict acos", StrictMath::acos); f("strict atan", StrictMath::atan);
        f("strict exp", StrictMath::exp); f("strict log", StrictMath::log); f("strict log10", StrictMath::log10); f("strict sqrt", StrictMath::sqrt); f("strict cbrt", StrictMath::cbrt); f("strict sinh", StrictMath::sinh); f("strict cosh", StrictMath::cosh); f("strict tanh", StrictMath::tanh); f("strict expm1", StrictMath::expm1); f("strict log1p", StrictMath::log1p);
        g("strict atan2", StrictMath::atan2); g("strict pow", StrictMath::pow); g("strict hypot", StrictMath::hypot); g("strict rem", StrictMath::IEEEremainder);
        f("sqrt", Math::sqrt); f("cbrt", Math::cbrt); f("floor", Math::floor); f("ceil", Math::ceil); f("rint", Math::rint); f("round", x -> Math.round(x)); f("roundf", x -> Math.round((float) x)); f("abs", Math::abs); f("signum", Math::signum); f("ulp", Math::ulp); f("nextUp", Math::nextUp); f("nextDown", Math::nextDown); f("exponent", x -> Math.getExponent(x)); f("toRadians", Math::toRadians); f("toDegrees", Math::toDegrees);
        f("asin", Math::asin); f("acos", Math::acos); f("atan", Math::atan); f("sinh", Math::sinh); f("cosh", Math::cosh); f("tanh", Math::tanh); f("expm1", Math::expm1); f("log1p", Math::log1p); g("atan2", Math::atan2); g("hypot", Math::hypot);
        g("max", Math::max); g("min", Math::min); g("copySign", Math::copySign); g("rem", (x, y) -> x % y); g("ieee", Math::IEEEremainder); g("div", (x, y) -> x / y); g("mul", (x, y) -> x * y); g("add", (x, y) -> x + y); g("sub", (x, y) -> x - y); g("fma", (x, y) -> Math.fma(x, y, 1.5)); g("next", Math::nextAfter);
        g("frem", (x, y) -> (float) x % (float) y); g("fdiv", (x, y) -> (float) x / (float) y); g("fmul", (x, y) -> (float) x * (float) y); f("d2f", x -> (float) x); f("d2i", x -> (int) x); f("d2l", x -> (long) x); f("f2i", x -> (int) (float) x); f("f2l", x -> (long) (float) x); f("l2d", x -> (double) (long) (x * 1e15)); f("l2f", x -> (float) (long) (x * 1e15)); f("fround", x -> Math.scalb((float) x, 3)); f("bits", x -> Double.longBitsToDouble(Double.doubleToRawLongBits(x) ^ 1));
        g("compare", (x, y) -> Double.compare(x, y) + (x < y ? 10 : 0) + (x <= y ? 100 : 0) + (x > y ? 1000 : 0) + (x >= y ? 10000 : 0) + (x == y ? 100000 : 0) + (x != y ? 1000000 : 0));
        g("fcompare", (x, y) -> { float a = (float) x, b = (float) y; return Float.compare(a, b) + (a < b ? 10 : 0) + (a <= b ? 100 : 0) + (a > b ? 1000 : 0) + (a >= b ? 10000 : 0) + (a == b ? 100000 : 0); });
        StringBuilder t = new StringBuilder(); for (double d : args()) t.append(d).append((float) d).append(Double.toHexString(d)); System.out.println(++count + " text: " + t.toString().hashCode());
        long h = 0; for (double d : args()) { String s = String.valueOf(d); h = h * 31 + Double.doubleToLongBits(Double.parseDouble(s)) + Float.floatToIntBits(Float.parseFloat(s)); } System.out.println(++count + " parse: " + h);
        // What the machine computes of Math's transcendental functions is within one unit in the last place of the real JVM's.
        int off = 0; for (double d : args()) { off += far(Math.sin(d), StrictMath.sin(d)) + far(Math.cos(d), StrictMath.cos(d)) + far(Math.tan(d), StrictMath.tan(d)) + far(Math.exp(d), StrictMath.exp(d)) + far(Math.log(d), StrictMath.log(d)) + far(Math.log10(d), StrictMath.log10(d)) + far(Math.pow(Math.abs(d), 1.5), StrictMath.pow(Math.abs(d), 1.5)); } System.out.println(++count + " far: " + off);
        System.out.println(++count + " exact: " + Math.sin(0) + Math.cos(0) + Math.pow(2, 10) + Math.pow(2, -1074) + Math.exp(0) + Math.exp(1) + Math.log(1) + Math.log10(1000) + Math.pow(10, 5) + Math.pow(1.1, 10) + Math.pow(0, 0) + Math.pow(-8, 3) + Math.log(Math.E) + Math.sin(Math.PI / 6) + Math.cos(Math.PI / 3) + Math.sqrt(2) + Math.tan(Math.PI / 4) + Math.pow(-1, 0.5) + Math.sin(1) + Math.cos(1) + Math.exp(2) + Math.log(2) + Math.log(10) + Math.sin(Math.PI));
    }
    static int far(double a, double b) { return Double.isNaN(a) != Double.isNaN(b) || Math.abs(a - b) > 2 * Math.ulp(b) ? 1 : 0; }
}
