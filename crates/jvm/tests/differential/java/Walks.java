import java.util.stream.*;
import java.io.*;

/** Frames by StackWalker and by exceptions. */
public class Walks {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        a();
    }

    static void a() { b(); }
    static void b() {
        StackWalker w = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        o(w.walk(s -> s.map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.toList())));
        o(w.getCallerClass());
        w.forEach(f -> o(f));
        o(w.walk(s -> s.skip(1).findFirst()).get().getDeclaringClass());
        o(StackWalker.getInstance().walk(s -> s.count()));
        for (StackTraceElement e : Thread.currentThread().getStackTrace()) o(e);
        for (StackTraceElement e : new Throwable().getStackTrace()) o(e.getClassName() + e.getMethodName() + e.getFileName());
        Runnable r = () -> o(StackWalker.getInstance().walk(s -> s.map(StackWalker.StackFrame::getMethodName).toList()).size());
        r.run();
        try { StackWalker.getInstance().getCallerClass(); } catch (UnsupportedOperationException e) {
            o(e.getMessage());
        }
    }
}
