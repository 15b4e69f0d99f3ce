import java.util.*;
import java.util.function.*;

/** Classes, interfaces, initialisation order, exceptions, switches, arrays, inner classes, records, enums. */
public class Objects1 {
    static StringBuilder log = new StringBuilder();
    static int trace(String s) { log.append(s).append(' '); return s.length(); }
    static class A { static int x = trace("A.clinit"); int f = trace("A.f"); A() { trace("A()"); hook(); } void hook() { trace("A.hook"); } { trace("A.init"); } }
    static class B extends A implements I { static int y = trace("B.clinit"); int g = trace("B.g"); B() { super(); trace("B()"); } @Override void hook() { trace("B.hook" + g); } }
    interface I { int K = trace("I.clinit"); default String hi() { return "I.hi " + K; } static String st() { return "I.st"; } }
    interface J extends I { @Override default String hi() { return "J.hi"; } }
    static class C implements J {}
    static abstract class Shape { abstract double area(); public String toString() { return getClass().getSimpleName() + " " + area(); } }
    static class Sq extends Shape { double s; Sq(double s) { this.s = s; } double area() { return s * s; } }
    static class Ci extends Shape { double r; Ci(double r) { this.r = r; } double area() { return 3 * r * r; } }
    enum Color { RED, GREEN { @Override String nice() { return "grass"; } }, BLUE; String nice() { return name().toLowerCase(); } }
    record Point(int x, double y, String s) { Point { if (x < 0) throw new IllegalArgumentException("neg " + x); } int twice() { return 2 * x; } }
    record Empty() {}
    static class Bad { static int v = 1 / Integer.parseInt("0"); }
    static class MyEx extends Exception { int code; MyEx(String m, int code, Throwable c) { super(m, c); this.code = code; } }
    sealed interface Expr permits Num, Add, Mul {}
    record Num(int v) implements Expr {}
    record Add(Expr a, Expr b) implements Expr {}
    record Mul(Expr a, Expr b) implements Expr {}
    static int eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.a()) + eval(a.b());
        if (e instanceof Mul m) return eval(m.a()) * eval(m.b());
        throw new IllegalStateException();
    }
    static int fin(int n) { try { if (n == 0) return trace("ret"); if (n == 1) throw new RuntimeException("one"); trace("body"); } catch (RuntimeException e) { trace("catch " + e.getMessage()); return -1; } finally { trace("fin" + n); if (n == 3) return 99; } return n; }
    static String sw(int k) { switch (k) { case 1: return "one"; case 2: case 3: return "two-three"; case 1000: return "k"; case -5: return "neg"; default: return "def"; } }
    static String sws(String k) { switch (k) { case "Aa": return "1"; case "BB": return "2"; case "hello": return "3"; default: return "d"; } }
    static int swn(Color c) { return switch (c) { case RED -> 1; case GREEN -> { int q = 5; yield q * 2; } case BLUE -> 3; }; }
    static <T extends Comparable<T>> T max(List<? extends T> l) { T m = null; for (T t : l) if (m == null || t.compareTo(m) > 0) m = t; return m; }
    static int varargs(Object... o) { return o == null ? -1 : o.length; }
    int field = 7;
    class Inner { int get() { return field * 2; } class Deep { int get() { return field + Inner.this.get(); } } }
    static long fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
    static int depth = 0; static void deep() { depth++; deep(); }

    public static void main(String[] args) throws Exception {
        new B(); System.out.println(log); log.setLength(0);
        System.out.println(new B().hi() + " " + I.st() + " " + new C().hi() + " " + log); log.setLength(0);
        for (Shape s : new Shape[] {new Sq(2), new Ci(1.5)}) System.out.println(s);
        for (Color c : Color.values()) System.out.println(c + " " + c.ordinal() + " " + c.nice() + " " + swn(c) + " " + c.getDeclaringClass().getSimpleName() + " " + Color.valueOf(c.name()).compareTo(Color.GREEN));
        try { Color.valueOf("PINK"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        Point p = new Point(3, 2.5, "z"); System.out.println(p + " " + p.equals(new Point(3, 2.5, "z")) + " " + p.equals(new Point(3, 2.5, "y")) + " " + p.hashCode() + " " + p.twice() + " " + new Empty() + " " + new Empty().hashCode() + new Empty().equals(new Empty()));
        try { new Point(-1, 0, null); } catch (IllegalArgumentException e) { System.out.println(e); }
        System.out.println(new Point(0, Double.NaN, null).equals(new Point(0, Double.NaN, null)) + " " + new Point(1, -0.0, null).equals(new Point(1, 0.0, null)));
        try { System.out.println(Bad.v); } catch (ExceptionInInitializerError e) { System.out.println(e + " " + e.getCause()); }
        try { System.out.println(Bad.v); } catch (NoClassDefFoundError e) { System.out.println(e + " " + e.getCause() + " " + e.getCause().getCause() + " " + e.getCause().getStackTrace()[0].getMethodName()); }
        try { System.out.println(Bad.v); } catch (NoClassDefFoundError e) { System.out.println(e.getMessage()); }
        for (int i = 0; i < 4; i++) System.out.println(fin(i)); System.out.println(log); log.setLength(0);
        try { try { throw new MyEx("m", 4, new RuntimeException("c")); } finally { System.out.println("f"); } } catch (MyEx e) { System.out.println(e.getMessage() + e.code + e.getCause().getMessage()); }
        for (int k : new int[] {1, 2, 3, 4, 1000, -5, Integer.MAX_VALUE}) System.out.print(sw(k) + " "); System.out.println();
        for (String k : new String[] {"Aa", "BB", "C#", "hello", ""}) System.out.print(sws(k)); System.out.println();
        Object[] os = {1, "s", 2L, 'c', 1.5, null, new int[2], new String[0][3], Color.RED};
        for (Object o : os) System.out.print((o instanceof Number) + " " + (o instanceof Comparable) + " " + (o == null ? "null" : o.getClass().getName()) + "; "); System.out.println();
        Runnable[] bad = { () -> { Object o = "s"; Integer i = (Integer) o; }, () -> { int[] a = new int[3]; a[3] = 1; }, () -> { int[] a = new int[-2]; }, () -> { Object[] a = new String[1]; a[0] = 1; },
            () -> { String s = "abc"; s.substring(5); }, () -> new ArrayList<Integer>().iterator().next(), () -> List.of(1).add(2), () -> { throw new AssertionError("x" + 1); }, () -> Objects.requireNonNull(null, "nn"),
            () -> new int[0].clone()[0]++, () -> "x".charAt(-1), () -> Optional.empty().get(), () -> new ArrayDeque<>().pop(), () -> Integer.valueOf("q"), () -> { Object o = new int[0]; String[] s = (String[]) o; },
            () -> { Iterator<Integer> it = new ArrayList<>(List.of(1, 2, 3)).iterator(); throw new UnsupportedOperationException(); }, () -> { List<Integer> l = new ArrayList<>(List.of(1, 2, 3)); for (int x : l) l.remove(0); } };
        for (Runnable r : bad) try { r.run(); System.out.println("no"); } catch (Throwable t) { System.out.println(t.getClass().getName() + ": " + t.getMessage()); }
        try { Object o = null; o.toString(); } catch (NullPointerException e) { System.out.println("npe"); }
        System.out.println(eval(new Add(new Num(2), new Mul(new Num(3), new Num(4)))));
        System.out.println(max(Arrays.asList(3, 9, 2)) + max(Arrays.asList("a", "zz", "m")) + varargs() + varargs(1, 2) + varargs((Object[]) null) + varargs((Object) null));
        Objects1 o1 = new Objects1(); Inner in = o1.new Inner(); System.out.println(in.get() + " " + in.new Deep().get());
        int[][][] m = new int[2][3][]; m[1][2] = new int[] {1, 2}; System.out.println(m[1][2][1] + " " + m[0][0] + " " + m.length + Arrays.deepToString(m) + m.getClass().getName());
        long[] la = {5, 6}; la[0] += la[1]++; la[1] <<= 3; double[] da = {1.5}; da[0]++; short[] sa = {1}; sa[0] -= 5; char[] ca = {'a'}; ca[0] += 2; byte[] ba = {127}; ba[0]++; boolean[] za = {false}; za[0] |= true; float[] fa = new float[1]; fa[0] = 1 / 3f;
        System.out.println(la[0] + " " + la[1] + da[0] + sa[0] + ca[0] + ba[0] + za[0] + fa[0]);
        System.out.println(fact(20)); try { deep(); } catch (StackOverflowError e) { System.out.println("so " + (depth > 500)); }
        Integer i1 = 127, i2 = 127, i3 = 128, i4 = 128; System.out.println((i1 == i2) + " " + i3.equals(i4) + " " + (i3 <= i4)); Character ch = 'x'; int sum = ch + i1; System.out.println(sum);
        Object lock = new Object(); synchronized (lock) { synchronized (lock) { System.out.println("locked"); } }
        outer: for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) { if (j == 3) continue outer; if (i == 2) break outer; System.out.print(i * j); } } System.out.println();
        System.out.println(new Object() { int q = 4; int sq() { return q * q; } }.sq());
        var anon = new Object() { @Override public String toString() { return "anon"; } }; System.out.println(anon);
        try (Res a = new Res("a"); Res b = new Res("b")) { System.out.println("in"); throw new RuntimeException("try"); } catch (RuntimeException e) { System.out.println(e.getMessage() + " " + e.getSuppressed().length + e.getSuppressed()[0].getMessage()); }
        try { thrower(3); } catch (IllegalStateException e) { StackTraceElement[] st = e.getStackTrace(); for (int i = 0; i < 5; i++) System.out.println(st[i]); Throwable c = e.getCause(); System.out.println(c + " " + c.getStackTrace()[0].getLineNumber()); }
        System.out.println(int.class + " " + String[].class + " " + Color.GREEN.getClass() + " " + new int[0][0].getClass().getComponentType() + " " + Map.Entry.class.getName() + " " + Inner.class.getSimpleName() + " " + Integer.class.getSuperclass());
        Object cl = new int[] {1, 2, 3}.clone(); System.out.println(((int[]) cl).length);
        String t = null; t += "x"; System.out.println(t + 1 + 2L + 'c' + 1.5f + 2.5 + true + null + new char[] {'h'}.length);
        String text = """
            Hello
              block "quoted" \
            joined
            """; System.out.print(text);
        int h = 0; for (char q = 'a'; q <= 'e'; q++) h = 31 * h + q; System.out.println(h == "abcde".hashCode());
        System.out.println(ternary(5) + ternary(-5) + ternary(0)); do { h /= 10; } while (h > 5); System.out.println(h);
        System.out.println(Objects1.class.getDeclaredMethods().length > 10); System.out.println(Point.class.isRecord() + " " + Point.class.getRecordComponents().length + " " + Color.class.isEnum());
        System.out.println(Objects1.class.getDeclaredMethod("fact", int.class).invoke(null, 5)); System.out.println(Point.class.getDeclaredConstructors()[0].newInstance(1, 2.0, "r"));
        try { Objects1.class.getDeclaredMethod("sw", int.class).invoke(null, "bad"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
    }
    static String ternary(int x) { return x > 0 ? "p" : x < 0 ? "n" : "z"; }
    static void thrower(int n) { if (n == 0) { try { Integer.parseInt("q"); } catch (NumberFormatException e) { throw new IllegalStateException("wrapped", e); } } else thrower(n - 1); }
    static class Res implements AutoCloseable { String n; Res(String n) { this.n = n; } public void close() { System.out.println("close " + n); if (n.equals("b")) throw new IllegalStateException("close" + n); } }
}
