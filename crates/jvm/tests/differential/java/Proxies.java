import java.util.*;
import java.io.*;
import java.lang.reflect.*;

/** Dynamic proxies, their exceptions and default methods. */
public class Proxies {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        InvocationHandler h = (p, m, a) -> {
            if (m.getName().equals("greet")) return "hi " + a[0];
            if (m.getName().equals("num")) return a == null ? 5 : 0;
            if (m.getName().equals("hashCode")) return 12;
            if (m.getName().equals("toString")) return "proxy!";
            if (m.getName().equals("bad")) throw new IOException("chk");
            if (m.getName().equals("nul")) return null;
            if (m.isDefault()) return InvocationHandler.invokeDefault(p, m, a);
            return a[0] == p;
        };
        Svc s = (Svc) Proxy.newProxyInstance(Svc.class.getClassLoader(), new Class<?>[]{
            Svc.class, Runnable.class
        }, h);
        o(s.greet("x") + s.num() + s.hashCode() + s + s.equals(s));
        try { s.bad(); } catch (UndeclaredThrowableException e) { o(e.getCause()); }
        try { s.nul(); } catch (NullPointerException e) { o("npe"); }
        o(s.def());
        o(Proxy.isProxyClass(s.getClass()) + " " + (Proxy.getInvocationHandler(s) == h) + (s instanceof Runnable) + s.getClass().getInterfaces().length);
        try { Proxy.newProxyInstance(null, new Class<?>[]{String.class}, h); } catch (IllegalArgumentException e) {
            o(e.getMessage());
        }
        Map<String, Object> mp = (Map<String, Object>) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[]{
            Map.class
        }, new Log(new HashMap<>()));
        mp.put("a", 1);
        o(mp.get("a") + " " + mp.size());
        List<Integer> li = (List<Integer>) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[]{
            List.class
        }, new Log(new ArrayList<>(List.of(1, 2))));
        for (int x : li) o(x);
        try { li.get(10); } catch (IndexOutOfBoundsException e) { o(e); }
    }

    interface Svc {
        String greet(String n);
        int num();
        void bad();
        int nul();
        default String def() { return "default" + num(); }
    }
    static class Log implements InvocationHandler {
        Object t;
        Log(Object t) { this.t = t; }
        public Object invoke(Object p, Method m, Object[] a) throws Throwable {
            System.out.println("> " + m.getName() + Arrays.toString(a));
            try { return m.invoke(t, a); } catch (InvocationTargetException e) { throw e.getCause(); }
        }
    }
}
