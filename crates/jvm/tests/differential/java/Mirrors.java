import java.util.*;
import java.io.*;
import java.lang.reflect.*;
import java.lang.annotation.*;

/** Reflection on members, annotations and arrays. */
public class Mirrors {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        Class<?> c = Tgt.class;
        for (Field f : c.getDeclaredFields()) o(f + " | " + f.toGenericString());
        List<String> ms = new ArrayList<>();
        for (Method m : c.getDeclaredMethods()) ms.add(m.toString());
        Collections.sort(ms);
        ms.forEach(System.out::println);
        for (Constructor<?> k : c.getDeclaredConstructors()) o(k);
        Tgt t = (Tgt) c.getDeclaredConstructor(int.class, String.class).newInstance(4, "q");
        Field f = c.getDeclaredField("priv");
        f.setAccessible(true);
        o(f.getInt(t));
        f.setInt(t, 44);
        o(f.get(t));
        Method m = c.getDeclaredMethod("add", int.class, long.class);
        o(m.invoke(t, 1, 2L));
        try { c.getDeclaredMethod("boom").invoke(t); } catch (InvocationTargetException e) {
            o(e.getCause() + " " + e.getMessage());
        }
        try { m.invoke(t, 1); } catch (IllegalArgumentException e) { o(e.getMessage()); }
        try { m.invoke(t, "x", 2L); } catch (IllegalArgumentException e) { o(e.getMessage()); }
        try { m.invoke(null, 1, 2L); } catch (NullPointerException e) { o("npe"); }
        try { c.getMethod("nope", int.class); } catch (NoSuchMethodException e) { o(e.getMessage()); }
        try { c.getField("nope"); } catch (NoSuchFieldException e) { o(e.getMessage()); }
        try { Class.forName("no.Such"); } catch (ClassNotFoundException e) { o(e.getMessage()); }
        try { f.set(t, "str"); } catch (IllegalArgumentException e) { o(e.getMessage()); }
        try { c.getDeclaredField("FIN").set(null, 3); } catch (IllegalAccessException e) {
            o(e.getMessage());
        }
        o(Class.forName("java.util.ArrayList").getDeclaredConstructor().newInstance());
        Object arr = Array.newInstance(int.class, 3);
        Array.setInt(arr, 1, 5);
        o(Array.get(arr, 1) + " " + Array.getLength(arr) + arr.getClass() + int[][].class.getName() + String[].class.getComponentType() + Array.newInstance(String.class, 2, 3).getClass().getSimpleName());
        try { Array.set(arr, 0, "x"); } catch (IllegalArgumentException e) { o(e.getMessage()); }
        o(Modifier.toString(c.getDeclaredMethod("stat").getModifiers()) + c.getDeclaredMethod("stat").invoke(null) + c.getSuperclass() + Arrays.toString(c.getInterfaces()) + c.isAssignableFrom(Object.class) + c.isInstance(t) + int.class.isPrimitive() + void.class + Integer.TYPE + c.getPackageName() + "|" + c.getTypeName() + c.isInterface() + Runnable.class.isInterface() + c.isEnum() + c.isAnnotationPresent(Mark.class));
        Mark a = c.getAnnotation(Mark.class);
        o(a.value() + a.n() + Arrays.toString(a.tags()) + a.annotationType());
        o(a);
        o(a.equals(c.getAnnotation(Mark.class)) + " " + c.getDeclaredField("pub").getAnnotation(Mark.class).value() + c.getDeclaredMethod("add", int.class, long.class).getParameterAnnotations()[0].length + m.getParameters()[0].getType() + m.getParameterCount() + m.isVarArgs() + Arrays.toString(c.getDeclaredMethod("boom").getExceptionTypes()));
        o(c.getDeclaredField("list").getGenericType() + " " + ((ParameterizedType) c.getDeclaredField("list").getGenericType()).getActualTypeArguments()[0]);
        o(c.cast(t) == t);
        try { Integer.class.cast("s"); } catch (ClassCastException e) { o(e.getMessage()); }
        try { Abs.class.getDeclaredConstructor().newInstance(); } catch (InstantiationException e) { o(e); }
        o(Tgt.class.getMethods().length > 5);
        o(Rpt.class.getAnnotationsByType(Tag.class).length + Rpt.class.getAnnotation(Tags.class).value()[1].value());
        o(m.equals(c.getDeclaredMethod("add", int.class, long.class)) + " " + m.hashCode() + " " + f.hashCode());
        o(c.getDeclaredMethod("va", Object[].class).invoke(t, (Object) new Object[]{1, 2}));
        o(Inh.class.isAnnotationPresent(Mark.class));
        try {
            Sec.class.getDeclaredField("x").get(new Sec());
            o("nestmate ok");
        } catch (IllegalAccessException e) { o(e.getMessage()); }
        try { String.class.getDeclaredField("value").setAccessible(true); } catch (RuntimeException e) {
            o(e.getClass());
        }
    }

    @Retention(RetentionPolicy.RUNTIME) @Inherited @interface Mark {
        String value() default "dv";
        int n() default 3;
        String[] tags() default {"a", "b"};
        Class<?> k() default String.class;
        ElementType e() default ElementType.FIELD;
        double d() default 1.5;
        char c() default 'x';
        long l() default 7;
    }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Tags.class) @interface Tag { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Tags { Tag[] value(); }
    @Tag("1") @Tag("2") static class Rpt {}
    static class Inh extends Tgt { Inh() { super(1, ""); } }
    static class Sec { private int x; }
    @Mark("tv") static class Tgt implements Comparable<Tgt>, Serializable {
        private int priv = 1;
        @Mark public static int pub = 2;
        protected final List<String> list = null;
        static final int FIN = 9;
        Tgt(int p, String s) { priv = p; }
        private Tgt() throws IOException {}
        public long add(@Mark int a, long b) { return a + b + priv; }
        void boom() throws IOException { throw new IllegalStateException("inner"); }
        static synchronized final int stat() { return 77; }
        public int compareTo(Tgt o) { return 0; }
        String va(Object... xs) { return "va" + xs.length; }
        <T extends Number & Runnable> T gen(List<? super T> l, T[] a) { return null; }
    }
    static abstract class Abs {}
}
