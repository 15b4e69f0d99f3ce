import java.util.*;
import java.io.*;

/** Class loaders, resources and classes by name. */
public class Loaders {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        o(Loaders.class.getClassLoader() != null);
        o(String.class.getClassLoader());
        Class<?> c = Class.forName("Loaders$In", true, Loaders.class.getClassLoader());
        o(c + " " + c.getDeclaredConstructor().newInstance());
        o(ClassLoader.getSystemClassLoader().loadClass("Loaders$In2").getName());
        Class<?> l = Class.forName("Loaders$In2", false, Thread.currentThread().getContextClassLoader());
        o("not yet");
        l.getDeclaredConstructor().newInstance();
        o(ClassLoader.getSystemClassLoader() == Loaders.class.getClassLoader());
        o(Loaders.class.getResource("nothing.txt") + " " + Loaders.class.getResourceAsStream("/nothing"));
        try (InputStream in = Loaders.class.getResourceAsStream("Loaders.class")) { o(in.read() == 0xCA); }
        o(Loaders.class.getResource("Loaders.class").getProtocol());
        try { ClassLoader.getSystemClassLoader().loadClass("q.Z"); } catch (ClassNotFoundException e) {
            o(e.getMessage());
        }
        ServiceLoader<Runnable> sl = ServiceLoader.load(Runnable.class);
        o(sl.iterator().hasNext() + " " + sl.findFirst());
        o(Loaders.class.getPackage().getName() + "|" + Loaders.class.getModule().isNamed());
        o(Loaders.class.getClassLoader().getParent() != null);
        o(Class.forName("[I") + " " + Class.forName("[Ljava.lang.String;"));
        try { Class.forName("int"); } catch (ClassNotFoundException e) { o(e); }
        ClassLoader my = new ClassLoader() {
            protected Class<?> findClass(String n) throws ClassNotFoundException {
                throw new ClassNotFoundException("my " + n);
            }
        };
        try { my.loadClass("foo.Bar"); } catch (ClassNotFoundException e) { o(e.getMessage()); }
        o(my.loadClass("java.util.List"));
    }

    static class In {
        static { o("In init"); }
        public String toString() { return "in"; }
    }
    public static class In2 { static { o("In2 init"); } public In2() {} }
    public static class Dyn { public Dyn() {} public int v() { return 31; } }
}
