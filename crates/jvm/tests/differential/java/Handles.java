import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.util.ArrayList;
import java.util.List;

/** Method handles and variable handles. */
public class Handles {
    static int calls;
    private final int base;
    protected String name = "n";
    volatile int counter;
    static long total = 5;

    Handles(int base) { this.base = base; }

    static int add(int a, int b) { return a + b; }

    static long wide(long a, int b, double c) { return a + b + (long) c; }

    private int plus(int x) { return base + x; }

    static void hit() { calls++; }

    static int sum(int... xs) {
        int sum = 0;
        for (int x : xs) sum += x;
        return sum;
    }

    static boolean positive(int x) { return x > 0; }

    static String text(Object o) { return "<" + o + ">"; }

    static int fail(String why) { throw new IllegalStateException(why); }

    public String toString() { return "Handles" + base; }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        System.out.println(lookup.lookupClass());
        MethodType binary = MethodType.methodType(int.class, int.class, int.class);
        MethodHandle add = lookup.findStatic(Handles.class, "add", binary);
        System.out.println((int) add.invokeExact(2, 3));
        System.out.println((Object) add.invoke((short) 2, (byte) 3));
        System.out.println((long) add.invoke(Integer.valueOf(7), 'a'));
        System.out.println(add.invokeWithArguments(4, 5) + " " + add.invokeWithArguments(List.of(6, 7)));
        System.out.println(add.type() + " " + add.type().parameterCount() + " " + add + " " + add.type().equals(binary));
        try {
            Object wrong = add.invokeExact(2, 3);
            System.out.println(wrong);
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            add.invoke("x");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println((int) add.invoke((Object) "x", 1));
        } catch (ClassCastException e) {
            System.out.println("no number");
        }
        MethodHandle wide = lookup.findStatic(Handles.class, "wide", MethodType.methodType(long.class, long.class, int.class, double.class));
        System.out.println((long) wide.invokeExact(10L, 3, 2.5) + (long) wide.invoke(1, 2, 3));
        MethodHandle plus = lookup.findVirtual(Handles.class, "plus", MethodType.methodType(int.class, int.class));
        System.out.println((int) plus.invokeExact(new Handles(40), 2));
        MethodHandle bound = plus.bindTo(new Handles(100));
        System.out.println((int) bound.invokeExact(1) + " " + bound.type());
        MethodHandle make = lookup.findConstructor(Handles.class, MethodType.methodType(void.class, int.class));
        System.out.println((Handles) make.invokeExact(9));
        System.out.println(make.invoke(8));
        MethodHandle string = lookup.findVirtual(Object.class, "toString", MethodType.methodType(String.class));
        System.out.println((String) string.invokeExact((Object) new Handles(3)) + string.invoke(List.of(1, 2)));
        MethodHandle size = lookup.findVirtual(List.class, "size", MethodType.methodType(int.class));
        System.out.println((int) size.invoke(new ArrayList<>(List.of("a", "b"))));
        MethodHandle getter = lookup.findGetter(Handles.class, "base", int.class);
        System.out.println((int) getter.invokeExact(new Handles(77)));
        Handles changed = new Handles(1);
        lookup.findSetter(Handles.class, "name", String.class).invokeExact(changed, "other");
        System.out.println(changed.name);
        lookup.findStaticSetter(Handles.class, "total", long.class).invoke(12);
        System.out.println((long) lookup.findStaticGetter(Handles.class, "total", long.class).invokeExact());
        MethodHandle hit = lookup.findStatic(Handles.class, "hit", MethodType.methodType(void.class));
        hit.invokeExact();
        Object nothing = hit.invoke();
        System.out.println(calls + " " + nothing);
        MethodHandle sum = lookup.findStatic(Handles.class, "sum", MethodType.methodType(int.class, int[].class));
        System.out.println((int) sum.invoke(1, 2, 3) + " " + (int) sum.invoke() + " " + (int) sum.invokeExact(new int[] {4, 5}) + " " + sum.isVarargsCollector());
        System.out.println(sum.invokeWithArguments(1, 2) + " " + sum.asFixedArity().isVarargsCollector());
        MethodHandle three = MethodHandles.insertArguments(add, 1, 3);
        System.out.println((int) three.invokeExact(4) + " " + three.type());
        MethodHandle dropped = MethodHandles.dropArguments(three, 0, String.class, long.class);
        System.out.println((int) dropped.invokeExact("x", 1L, 5) + " " + dropped.type());
        MethodHandle text = lookup.findStatic(Handles.class, "text", MethodType.methodType(String.class, Object.class));
        MethodHandle boxed = add.asType(MethodType.methodType(Object.class, Integer.class, short.class));
        System.out.println(boxed.invokeExact((Integer) 3, (short) 4));
        MethodHandle shown = MethodHandles.filterReturnValue(boxed, text);
        System.out.println((String) shown.invokeExact((Integer) 3, (short) 5));
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        MethodHandle lengths = MethodHandles.filterArguments(add, 0, length, null);
        System.out.println((int) lengths.invokeExact("four", 38));
        MethodHandle positive = lookup.findStatic(Handles.class, "positive", MethodType.methodType(boolean.class, int.class));
        MethodHandle minus = lookup.findStatic(Math.class, "subtractExact", binary);
        MethodHandle guarded = MethodHandles.guardWithTest(positive, add, minus);
        System.out.println((int) guarded.invokeExact(5, 1) + " " + (int) guarded.invokeExact(-5, 1));
        System.out.println((String) MethodHandles.constant(String.class, "c").invokeExact() + (int) MethodHandles.identity(int.class).invokeExact(6));
        MethodHandle reflected = lookup.unreflect(Handles.class.getDeclaredMethod("add", int.class, int.class));
        System.out.println((int) reflected.invoke(20, 1));
        System.out.println(lookup.unreflectConstructor(Handles.class.getDeclaredConstructor(int.class)).invoke(5));
        System.out.println((String) lookup.unreflectGetter(Handles.class.getDeclaredField("name")).invoke(changed));
        lookup.unreflectSetter(Handles.class.getDeclaredField("name")).invoke(changed, "third");
        System.out.println(changed.name + " " + (int) lookup.bind("word", "length", MethodType.methodType(int.class)).invokeExact());
        MethodHandle parent = lookup.findSpecial(Object.class, "hashCode", MethodType.methodType(int.class), Handles.class);
        System.out.println((int) parent.invoke(changed) == System.identityHashCode(changed));
        try {
            lookup.findStatic(Handles.class, "missing", binary);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            int ignored = (int) lookup.findStatic(Handles.class, "fail", MethodType.methodType(int.class, String.class)).invokeExact("why");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[1].getMethodName());
        }
        try {
            ((MethodHandle) null).invoke();
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        VarHandle counter = lookup.findVarHandle(Handles.class, "counter", int.class);
        System.out.println((int) counter.getAndAdd(changed, 5) + " " + counter.compareAndSet(changed, 5, 9) + " " + (int) counter.getVolatile(changed));
        VarHandle element = MethodHandles.arrayElementVarHandle(long[].class);
        long[] cells = {1, 2, 3};
        element.set(cells, 1, 20L);
        System.out.println((long) element.get(cells, 1) + (long) element.getAndSet(cells, 2, 7L) + cells[2]);
        System.out.println(MethodHandles.publicLookup().findVirtual(String.class, "isEmpty", MethodType.methodType(boolean.class)).invoke(""));
    }
}
