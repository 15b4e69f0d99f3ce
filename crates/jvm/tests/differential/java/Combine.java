import java.util.*;
import java.nio.*;
import java.text.*;
import java.lang.invoke.*;

/** Method handles made of others. */
public class Combine {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle cat = l.findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class));
        o((String) cat.invokeExact("a", "b"));
        o(cat.type() + " " + cat.bindTo("x").invoke("y") + cat.invokeWithArguments("p", "q"));
        MethodHandle mx = l.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
        o((int) mx.invokeExact(3, 4));
        o(MethodHandles.permuteArguments(mx, MethodType.methodType(int.class, int.class, int.class), 1, 0).invoke(1, 2));
        o(MethodHandles.foldArguments(MethodHandles.dropArguments(mx, 2, int.class), mx).type());
        o(MethodHandles.catchException(l.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)), NumberFormatException.class, MethodHandles.dropArguments(MethodHandles.constant(int.class, -1), 0, NumberFormatException.class)).invoke("zz"));
        MethodHandle sp = mx.asSpreader(Object[].class, 2);
        o(sp.invoke(new Object[]{7, 8}));
        MethodHandle col = l.findStatic(Arrays.class, "asList", MethodType.methodType(List.class, Object[].class)).asCollector(Object[].class, 3);
        o(col.invoke(1, 2, 3));
        MethodHandle va = l.findStatic(Arrays.class, "asList", MethodType.methodType(List.class, Object[].class));
        o(va.isVarargsCollector() + "" + va.invoke(1, 2));
        o(MethodHandles.arrayElementGetter(int[].class).invoke(new int[]{4, 5}, 1));
        o(MethodHandles.collectArguments(cat, 1, l.findVirtual(String.class, "trim", MethodType.methodType(String.class))).invoke("a", " b "));
        o((String) MethodHandles.explicitCastArguments(mx, MethodType.methodType(long.class, byte.class, double.class)).type().toString());
        MethodHandle thrower = MethodHandles.throwException(int.class, RuntimeException.class);
        try { thrower.invoke(new RuntimeException("th")); } catch (RuntimeException e) {
            o(e.getMessage());
        }
        try { cat.invokeExact(1); } catch (WrongMethodTypeException e) { o(e.getMessage()); }
        try { l.findStatic(Math.class, "nope", MethodType.methodType(int.class)); } catch (NoSuchMethodException e) {
            o(e.getMessage());
        }
        o(MethodHandles.tryFinally(MethodHandles.constant(int.class, 5), l.findStatic(Combine.class, "fin", MethodType.methodType(int.class, Throwable.class, int.class))).invoke());
        o(MethodHandles.zero(int.class).invoke() + "" + MethodHandles.empty(MethodType.methodType(String.class, int.class)).invoke(3));
        VarHandle vh = l.findVarHandle(Combine.class, "fld", int.class);
        Combine x = new Combine();
        vh.set(x, 3);
        o((int) vh.getAndAdd(x, 4) + " " + (int) vh.get(x) + vh.compareAndSet(x, 7, 9) + (int) vh.getVolatile(x));
        VarHandle av = MethodHandles.arrayElementVarHandle(long[].class);
        long[] la = new long[3];
        av.setVolatile(la, 1, 5L);
        o((long) av.getAndSet(la, 1, 6L) + la[1]);
        VarHandle sv = l.findStaticVarHandle(Combine.class, "ST", String.class);
        sv.set("zz");
        o(sv.getAcquire() + "");
        VarHandle bv = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        o((int) bv.get(new byte[]{0, 0, 1, 2}, 0));
        o(MethodType.fromMethodDescriptorString("(IJ)V", null) + "" + MethodType.methodType(int.class).wrap().toMethodDescriptorString());
        o(l.unreflect(String.class.getMethod("length")).invoke("four") + "" + l.findGetter(Combine.class, "fld", int.class).invoke(x));
        o(l.lookupClass());
    }

    int fld;
    static String ST = "s";
    static int body(int acc, int i) { return acc + i * i; }
    static int fin(Throwable t, int r) { return r + 100; }
}
