import java.io.*;
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** The language: exceptions, initialisation, classes, reflection, annotations, proxies. */
public class Lang {
    interface Case { Object run() throws Exception; }
    static int count, first = 1;
    static void is(String name, Case c) {
        if (++count < first) return;
        String text;
        try { text = String.valueOf(c.run()); } catch (Throwable t) { text = "threw " + t; }
        System.out.println(count + " " + name + ": " + text);
    }
    static String trace(Throwable t) { StringWriter w = new StringWriter(); t.printStackTrace(new PrintWriter(w)); return w.toString().replaceAll("Lambda\\$\\d+/0x[0-9a-f]+", "Lambda"); }

    static class Res implements AutoCloseable { static StringBuilder log = new StringBuilder(); final String n; Res(String n) { this.n = n; log.append("open ").append(n).append(' '); } public void close() throws IOException { log.append("close ").append(n).append(' '); if (n.startsWith("bad")) throw new IOException("closing " + n); } }
    static class Node { Node next; int[] data; String name; Node[] kids; int v; Node get() { return next; } static Node root; }
    @Retention(RetentionPolicy.RUNTIME) @interface Info { String value() default "none"; int level() default 1; String[] tags() default {}; Class<?> type() default Object.class; ElementType kind() default ElementType.TYPE; }
    @Info(value = "cls", level = 3, tags = {"a", "b"}, type = String.class) static class Marked { @Info("fld") public int f = 5; @Info(level = 9) public void m(int x, String y) {} private String hidden(String s) { return "hidden " + s; } public Marked() {} protected Marked(int a) { f = a; } static int st(int a, long b) { return (int) (a + b); } }
    interface Greeter { String greet(String who); default String twice(String w) { return greet(w) + greet(w); } int size(); }
    enum Op implements IntBinaryOperator { ADD("+") { public int applyAsInt(int a, int b) { return a + b; } }, MUL("*") { public int applyAsInt(int a, int b) { return a * b; } }; final String s; Op(String s) { this.s = s; } }
    static abstract class Animal { protected String n = "animal"; abstract String sound(); String speak() { return n + " says " + sound(); } static String kind() { return "Animal"; } }
    static class Dog extends Animal { String n = "dog"; String sound() { return "woof " + super.n; } static String kind() { return "Dog"; } }
    sealed interface Shape permits Circle, Square {} record Circle(double r) implements Shape {} record Square(double s) implements Shape {}
    record Generic<T extends Comparable<T>>(T a, T b) { static int made; Generic { made++; } T max() { return a.compareTo(b) > 0 ? a : b; } Generic(T a) { this(a, a); } }
    static int order = 0; static class Lazy { static int at = ++order; static void touch() {} static final int CONST = 5; } static class Lazy2 extends Lazy { static int at2 = ++order; }
    static class Holder { static Holder H = new Holder(); static int x = 7; int seen = x; }
    static int tryFinally(int k) { int r = 0; try { r = 1; if (k == 1) return r; if (k == 2) throw new RuntimeException(); r = 2; } catch (RuntimeException e) { r = 3; return r; } finally { r += 10; if (k == 3) return r; } return r; }
    static int nested(int k) { int s = 0; outer: for (int i = 0; i < 5; i++) { for (int j = 0; ; j++) { try { if (j == k) continue outer; if (i == 3) break outer; s += i * 10 + j; } finally { s++; } } } return s; }
    static <T extends Throwable> void sneaky(Throwable t) throws T { throw (T) t; }
    static String over(Object o) { return "O"; } static String over(String s) { return "S"; } static String over(Integer i) { return "I"; } static String over(int i) { return "i"; } static String over(long l) { return "l"; } static String over(double d) { return "d"; } static String over(Object... os) { return "V"; } static String over(char c) { return "c"; }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static void level3(int x) { if (x > 0) throw new IllegalArgumentException("level3 " + x); } static void level2(int x) { try { level3(x); } catch (IllegalArgumentException e) { throw new IllegalStateException("level2", e); } }
    int base = 10; class In { int v = base * 2; class In2 { int w = v + base; } } static int sfield; transient volatile int tv = 3;

    public static void main(String[] args) throws Exception {
        if (args.length > 0) first = Integer.parseInt(args[0]);
        is("npe field", () -> { Node n = new Node(); return n.next.v; });
        is("npe put", () -> { Node n = null; n.v = 3; return n; });
        is("npe call", () -> { String s = null; return s.length(); });
        is("npe chain", () -> new Node().get().get());
        is("npe array", () -> { Node n = new Node(); return n.data[2]; });
        is("npe array store", () -> { int[] a = null; a[0] = 1; return a; });
        is("npe length", () -> { int[][] a = new int[2][]; return a[1].length; });
        is("npe elem", () -> { Node[] a = new Node[2]; return a[1].name.length(); });
        is("npe static", () -> Node.root.name);
        is("npe throw", () -> { RuntimeException e = null; throw e; });
        is("npe sync", () -> { Object o = null; synchronized (o) { return 1; } });
        is("npe unbox", () -> { Map<String, Integer> m = new HashMap<>(); int x = m.get("k"); return x; });
        is("npe switch", () -> { String s = null; switch (s) { case "a": return 1; default: return 2; } });
        is("npe foreach", () -> { List<String> l = null; for (String s : l) return s; return ""; });
        is("npe enum", () -> { Op o = null; switch (o) { case ADD: return 1; default: return 2; } });
        is("cce", () -> { Object o = "s"; return (Integer) o; });
        is("cce2", () -> { Object o = new int[0]; return (String[]) o; });
        is("cce3", () -> { Object o = new Dog(); return (Runnable) o; });
        is("cce generic", () -> { List l = new ArrayList(); l.add(5); List<String> s = l; return s.get(0).length(); });
        is("ase", () -> { Object[] a = new String[1]; a[0] = 5; return a; });
        is("aioobe", () -> { int[] a = new int[3]; return a[3]; });
        is("aioobe neg", () -> { long[] a = new long[3]; a[-1] = 4; return a; });
        is("nase", () -> { int n = -4; return new int[n]; });
        is("nase multi", () -> { int n = -4; return new int[2][n]; });
        is("div", () -> { int z = 0; return 5 / z; });
        is("rem long", () -> { long z = 0; return 5L % z; });
        is("div min", () -> { int m = Integer.MIN_VALUE, o = -1; long lm = Long.MIN_VALUE; return m / o + " " + m % o + " " + lm / o + " " + lm % o; });
        is("assert", () -> { assert 1 > 2 : "math " + 5; return "no"; });
        is("assert plain", () -> { int x = 3; assert x == 4; return "no"; });
        is("stack overflow", () -> { try { return deep(1 << 30); } catch (StackOverflowError e) { return "so " + (e.getMessage() == null); } });
        is("deep ok", () -> deep(3000));
        is("custom", () -> { try { level2(4); return ""; } catch (IllegalStateException e) { return e.getMessage() + e.getCause().getMessage() + e.getStackTrace()[0].getMethodName() + e.getStackTrace()[0].getLineNumber() + trace(e).lines().limit(4).toList(); } });
        is("suppressed", () -> { Res.log.setLength(0); try (Res a = new Res("a"); Res b = new Res("bad1"); Res c = new Res("bad2")) { throw new RuntimeException("body"); } catch (Exception e) { return Res.log + "" + e + Arrays.toString(e.getSuppressed()); } });
        is("twr", () -> { Res.log.setLength(0); try (Res a = new Res("x"); Res n = null) { return "in " + Res.log; } finally { System.out.println(Res.log); } });
        is("finally", () -> tryFinally(0) + " " + tryFinally(1) + " " + tryFinally(2) + " " + tryFinally(3));
        is("nested", () -> nested(0) + " " + nested(2) + " " + nested(3));
        is("sneaky", () -> { Lang.<RuntimeException>sneaky(new IOException("sneak")); return 0; });
        is("multi catch", () -> { try { Object o = List.of().get(0); return o; } catch (IndexOutOfBoundsException | NullPointerException e) { return e.getClass().getSimpleName() + e.getMessage(); } });
        is("rethrow", () -> { try { try { throw new FileNotFoundException("f"); } finally { sfield++; } } catch (IOException e) { throw new UncheckedIOException(e); } });
        is("init cause", () -> { Exception e = new Exception("a"); e.initCause(new Error("b")); e.addSuppressed(new Exception("s")); return trace(e).lines().filter(l -> !l.contains("at ")).map(l -> l.replaceAll("\\d+ more", "N more")).toList(); });
        is("no trace", () -> { class Quiet extends Exception { Quiet() { super("q", null, false, false); } } return new Quiet().getStackTrace().length; });
        is("overload", () -> over(null == null ? "s" : "t") + over(5) + over(5L) + over('c') + over(5f) + over((Object) "x") + over(Integer.valueOf(3)) + over((short) 1) + over(1, 2) + over() + over(new Object()));
        is("hiding", () -> { Animal a = new Dog(); return a.n + ((Dog) a).n + a.speak() + Animal.kind() + Dog.kind(); });
        is("init order", () -> { int c = Lazy.CONST; String s = "" + order; Lazy2[] none = new Lazy2[2]; s += order; int x = Lazy2.at; s += order; x = Lazy2.at2; return s + order; });
        is("static init", () -> Holder.H.seen + " " + new Holder().seen);
        is("inner", () -> { Lang l = new Lang(); In i = l.new In(); l.base = 1; In.In2 j = i.new In2(); return i.v + " " + j.w; });
        is("local class", () -> { int cap = 5; class L { int f(int x) { return x <= 0 ? cap : f(x - 1) + 1; } } return new L().f(3) + new Object() { int y = cap * 2; }.y; });
        is("anonymous", () -> { Comparator<String> c = new Comparator<>() { int calls; public int compare(String a, String b) { calls++; return b.compareTo(a) + 0 * calls; } public String toString() { return "anon" + calls; } }; List<String> l = new ArrayList<>(List.of("a", "c", "b")); l.sort(c); return l + " " + c; });
        is("enum", () -> Op.ADD.applyAsInt(2, 3) + Op.valueOf("MUL").s + Op.MUL.applyAsInt(4, 5) + Op.ADD.getClass().isEnum() + Op.ADD.getDeclaringClass().getSimpleName() + Arrays.toString(Op.values()) + Op.MUL.compareTo(Op.ADD) + Op.class.getEnumConstants().length + Enum.valueOf(Op.class, "ADD").ordinal());
        is("enum bad", () -> Op.valueOf("SUB"));
        is("instanceof", () -> { Object o = new Circle(2); return (o instanceof Circle c && c.r() > 1) + " " + (o instanceof Square) + (o instanceof Record) + (null instanceof Object) + (new int[0] instanceof Object) + ((Object) new Integer[0] instanceof Number[]) + ((Object) new int[0][0] instanceof Object[]); });
        is("record", () -> { var g = new Generic<>("b"); return g + " " + g.max() + g.equals(new Generic<>("b", "b")) + Generic.made + g.getClass().getRecordComponents().length + Generic.class.isRecord() + g.hashCode(); });
        is("switch expr", () -> { StringBuilder b = new StringBuilder(); for (String s : new String[] {"a", "bb", "ccc", "FB", "Ea"}) b.append(switch (s) { case "a", "bb" -> 1; case "ccc" -> { int q = s.length(); yield q * q; } case "FB" -> 'x'; case "Ea" -> 'y'; default -> -1; }).append(','); return b; });
        is("switch char", () -> { int v = 0; for (char c : "aeiouxyz\u4e2d".toCharArray()) switch (c) { case 'a': case 'e': v += 1; break; case 'x': v += 100; case 'y': v += 1000; break; case '\u4e2d': v += 10000; default: v += 5; } return v; });
        is("switch sparse", () -> { int s = 0; for (int i : new int[] {1, 100, 10000, -7, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}) s = s * 3 + switch (i) { case 1 -> 1; case 100 -> 2; case 10000 -> 3; case Integer.MAX_VALUE -> 4; case Integer.MIN_VALUE -> 5; default -> 0; }; return s; });
        is("ternary types", () -> { Object o = true ? 1 : 2.0; Integer n = null; return o + " " + (false ? 'a' : 98) + (char) (true ? 'b' : 0) + (n != null ? n : "none"); });
        is("compound", () -> { byte b = 10; b += 300; short s = 5; s *= 1.5; int i = 7; i <<= 33; i ^= 0xff; long l = 1; l <<= 65; char c = 'a'; c += 1; int x = 5; x = x++ + ++x; int[] a = {0, 1, 2}; int k = 0; a[k++] = a[k] + k; i >>>= 1; return b + " " + s + " " + i + " " + l + " " + c + " " + x + " " + Arrays.toString(a) + (5 & 3 | 4 ^ 1) + (-17 >> 2) + (-17 >>> 28) + (-17 % 5) + (~7); });
        is("casts", () -> (byte) 200 + " " + (short) 70000 + " " + (char) 65.7 + " " + (int) 1e20 + " " + (long) Double.NaN + " " + (int) -2.9f + " " + (byte) 3.99e9 + " " + (float) 1e40 + " " + (int) 'x' + " " + (long) 1e19f + " " + (double) (float) 0.1 + " " + (int) Long.MAX_VALUE + " " + (short) (char) 0xffff + " " + (float) Long.MAX_VALUE + " " + (double) ((1L << 53) + 1));
        is("arrays", () -> { int[][][] a = new int[2][3][]; a[1][2] = new int[] {1, 2}; String[][] s = {{"a"}, {}, null}; char[] c = {'x', 'y'}; long[][] l = new long[0][5]; boolean[] b = new boolean[2]; b[1] |= true; return a.length + a[0].length + " " + a[1][2][1] + s.length + Arrays.deepToString(s) + new String(c) + l.length + b[1] + a.getClass().getName() + s.getClass().getSimpleName() + int[].class + String[].class.getComponentType() + a.clone()[1][2][0] + Arrays.deepToString(a); });
        is("jagged", () -> { int[][] t = new int[5][]; for (int i = 0; i < 5; i++) { t[i] = new int[i + 1]; t[i][0] = t[i][i] = 1; for (int j = 1; j < i; j++) t[i][j] = t[i - 1][j - 1] + t[i - 1][j]; } return Arrays.deepToString(t); });
        is("varargs", () -> String.format("%s %s", (Object[]) new String[] {"p", "q"}) + over((Object[]) null));
        is("static nested generic", () -> { BiFunction<Integer, Integer, Integer> gcd = new BiFunction<>() { public Integer apply(Integer a, Integer b) { return b == 0 ? a : this.apply(b, a % b); } }; return gcd.apply(48, 36); });
        is("reflect fields", () -> { StringBuilder b = new StringBuilder(); for (Field f : Lang.class.getDeclaredFields()) if (!f.isSynthetic()) b.append(Modifier.toString(f.getModifiers())).append(' ').append(f.getType().getSimpleName()).append(' ').append(f.getName()).append(';'); return b; });
        is("reflect get", () -> { Marked m = new Marked(); Field f = Marked.class.getField("f"); f.setInt(m, 42); f.set(m, (Integer) f.get(m) + 1); return m.f + " " + f.getInt(m) + f; });
        is("reflect method", () -> { Method h = Marked.class.getDeclaredMethod("hidden", String.class); h.setAccessible(true); Method s = Marked.class.getDeclaredMethod("st", int.class, long.class); return h.invoke(new Marked(), "x") + " " + s.invoke(null, 3, 4L) + h + s.getParameterCount() + s.getReturnType(); });
        is("reflect ctor", () -> { Constructor<Marked> c = Marked.class.getDeclaredConstructor(int.class); c.setAccessible(true); return c.newInstance(9).f + " " + c + Marked.class.getConstructors().length; });
        is("reflect throw", () -> { try { Lang.class.getDeclaredMethod("level3", int.class).invoke(null, 5); return ""; } catch (InvocationTargetException e) { return e.getCause(); } });
        is("reflect missing", () -> Marked.class.getMethod("nope"));
        is("reflect bad arg", () -> Marked.class.getDeclaredMethod("st", int.class, long.class).invoke(null, "x", 1L));
        is("annotation", () -> { Info i = Marked.class.getAnnotation(Info.class); Info f = Marked.class.getField("f").getAnnotation(Info.class); Info m = Marked.class.getMethod("m", int.class, String.class).getAnnotation(Info.class); return i.value() + i.level() + Arrays.toString(i.tags()) + i.type() + i.kind() + f.value() + f.level() + m.level() + m.value() + Marked.class.isAnnotationPresent(Deprecated.class) + i.annotationType().getSimpleName(); });
        is("proxy", () -> { StringBuilder log = new StringBuilder(); Greeter g = (Greeter) Proxy.newProxyInstance(Lang.class.getClassLoader(), new Class<?>[] {Greeter.class}, (p, m, a) -> { log.append(m.getName()).append(a == null ? "" : Arrays.toString(a)).append(' '); return m.getReturnType() == int.class ? (Object) 7 : "hi " + a[0]; }); return g.greet("bob") + g.size() + log + Proxy.isProxyClass(g.getClass()); });
        is("class info", () -> Dog.class.getSuperclass().getSimpleName() + " " + Dog.class.getName() + Modifier.isAbstract(Animal.class.getModifiers()) + Arrays.toString(Op.class.getInterfaces()) + Lang.class.getPackageName().length() + int.class.getName() + new Object() {}.getClass().getName() + Shape.class.isSealed() + Circle.class.getRecordComponents()[0].getName() + Map.Entry.class.getName() + Dog.class.isInstance(new Dog()) + Animal.class.isAssignableFrom(Dog.class) + In.class.isMemberClass() + Runnable.class.isInterface() + Lang.class.getSimpleName() + int[][].class.getTypeName() + Dog[].class.getCanonicalName());
        is("generic info", () -> Generic.class.getTypeParameters()[0] + " " + Arrays.toString(Generic.class.getTypeParameters()[0].getBounds()) + new ArrayList<String>() {}.getClass().getGenericSuperclass());
        is("array reflect", () -> { Object a = Array.newInstance(int.class, 3); Array.setInt(a, 1, 5); Object b = Array.newInstance(String.class, 2, 2); return Array.get(a, 1) + " " + Array.getLength(b) + b.getClass().getSimpleName() + Array.getInt(a, 1); });
        is("clone", () -> { ArrayList<int[]> l = new ArrayList<>(List.of(new int[] {1})); ArrayList<int[]> m = (ArrayList<int[]>) l.clone(); m.get(0)[0] = 9; int[] d = {1, 2}; int[] e = d.clone(); e[0] = 7; return l.get(0)[0] + " " + d[0] + e[0]; });
        is("hash default", () -> { Object o = new Object(); return (o.hashCode() == o.hashCode()) + " " + o.equals(o) + o.equals(new Object()) + o.toString().startsWith("java.lang.Object@") + (System.identityHashCode(null)); });
        is("string switch hash", () -> { String r = ""; for (String s : List.of("AaAa", "BBBB", "AaBB", "BBAa", "x")) switch (s) { case "AaAa" -> r += 1; case "BBBB" -> r += 2; case "AaBB" -> r += 3; default -> r += 0; } return r; });
        is("labeled", () -> { int s = 0; a: for (int i = 0; i < 4; i++) { b: { if (i == 1) break b; if (i == 3) break a; s += 10; } s++; } do { s++; if (s % 7 == 0) break; } while (true); return s; });
        is("interfaces", () -> { interface A { default String m() { return "A"; } } interface B { default String m() { return "B"; } } class C implements A, B { public String m() { return A.super.m() + B.super.m(); } } return new C().m(); });
        is("private interface", () -> { interface P { private int h() { return 4; } default int g() { return h() * 2; } static int s() { return 3; } } return new P() {}.g() + P.s(); });
        is("functional", () -> { Supplier<Runnable> s = () -> () -> System.out.print("run "); s.get().run(); Function<Object, String> f = Object::toString; Supplier<Integer> len = "four"::length; BiPredicate<String, String> eq = String::equals; Function<String, Integer> parse = Integer::parseInt; Function<Integer, List<String>> mk = ArrayList::new; Runnable r = Lang::new; r.run(); return f.apply(3) + len.get() + eq.test("a", "a") + parse.andThen(x -> x + 1).apply("41") + mk.apply(10).size(); });
        is("lambda capture", () -> { List<Supplier<Integer>> l = new ArrayList<>(); for (int i = 0; i < 3; i++) { int j = i; long k = i * 2L; double d = i / 2.0; l.add(() -> (int) (j + k + d)); } int t = 0; for (var s : l) t += s.get(); return t; });
        is("super lambda", () -> { class S { String n() { return "S"; } } class T extends S { String n() { return "T"; } String both() { Supplier<String> a = super::n, b = this::n; return a.get() + b.get(); } } return new T().both(); });
        is("long locals", () -> { long a = 1, b = 2; double c = 3, d = 4; int e = 5; long f = a + b * e; double g = c * d + f; a = b; b = f; return a + " " + b + " " + g + (a < b) + (c > d) + (f == 11) + Long.compare(a, b); });
        is("wide", () -> { int v0 = 0; for (int i = 0; i < 40000; i++) { v0 += i % 3 == 0 ? 1000 : -1; } return v0; });
        is("interned class", () -> (String.class == "x".getClass()) + " " + (int.class == Integer.TYPE) + new int[0].getClass().equals(int[].class) + Class.forName("[I").getSimpleName() + Class.forName("Lang$Dog").getSimpleName());
        is("no class", () -> Class.forName("Missing"));
        is("instantiation", () -> Animal.class.getDeclaredConstructor().newInstance());
        is("arraycopy", () -> { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, 4); Object[] o = {"a", "b"}; String[] s = new String[2]; System.arraycopy(o, 0, s, 0, 2); return Arrays.toString(a) + Arrays.toString(s); });
        is("arraycopy bad", () -> { System.arraycopy(new int[2], 1, new int[2], 1, 3); return 0; });
        is("arraycopy type", () -> { System.arraycopy(new int[2], 0, new long[2], 0, 1); return 0; });
        is("arraycopy store", () -> { System.arraycopy(new Object[] {"a", 1}, 0, new String[2], 0, 2); return 0; });
        is("properties", () -> System.getProperty("file.separator") + System.getProperty("line.separator").length() + System.getProperty("none") + System.getProperty("path.separator") + System.getenv("NOPE_NOPE") + Integer.getInteger("nope", 4) + System.getProperty("java.specification.version") + System.getProperty("os.name"));
        is("runtime", () -> Runtime.version().feature() + " " + (Runtime.getRuntime().totalMemory() > 0) + (System.nanoTime() <= System.nanoTime()) + (System.currentTimeMillis() > 1000000));
        is("thread name", () -> Thread.currentThread().getName() + Thread.currentThread().getStackTrace()[1].getMethodName().startsWith("lambda") + Thread.currentThread().getPriority() + Thread.currentThread().getThreadGroup().getName() + Thread.currentThread().isDaemon());
        is("serial", () -> { ByteArrayOutputStream bo = new ByteArrayOutputStream(); ObjectOutputStream o = new ObjectOutputStream(bo); o.writeObject(new ArrayList<>(List.of("a", 1, 2.5))); o.writeInt(7); o.flush(); ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray())); return i.readObject() + " " + i.readInt(); });
        is("finalizers", () -> { System.gc(); Runtime.getRuntime().gc(); return new java.lang.ref.WeakReference<>("x").get() + new java.lang.ref.SoftReference<>("y").get(); });
        is("exit hook", () -> { Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook"))); return "added"; });
        Thread t = new Thread(() -> { throw new IllegalStateException("in thread"); }, "worker-7"); t.start(); t.join();
        Thread.setDefaultUncaughtExceptionHandler((th, e) -> System.out.println("handler " + th.getName() + " " + e)); Thread u = new Thread(() -> { int[] a = {}; a[0]++; }, "u"); u.start(); u.join();
        Thread.setDefaultUncaughtExceptionHandler(null);
        level2(1);
    }
}
