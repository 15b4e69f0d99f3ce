import java.util.*;
import java.util.concurrent.*;

/** Threads that wait, sleep, spin and end. */
public class Waits {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        Thread t = new Thread(() -> {
            for (int i = 0; i < 3; i++) log.add("t" + i);
        }, "worker");
        t.start();
        t.join();
        o(log + " " + t.getState() + t.isAlive() + t.getName() + t);
        Object lock = new Object();
        boolean[] rdy = {false};
        Thread w = new Thread(() -> {
            synchronized (lock) {
                while (!rdy[0]) try { lock.wait(); } catch (InterruptedException e) { }
                log.add("woke");
            }
        });
        w.start();
        synchronized (lock) {
            rdy[0] = true;
            lock.notifyAll();
        }
        w.join();
        o(log);
        Thread in = new Thread(() -> {
            try { Thread.sleep(100000); } catch (InterruptedException e) {
                log.add("int " + e.getMessage() + Thread.currentThread().isInterrupted());
            }
        });
        in.start();
        in.interrupt();
        in.join();
        o(log);
        try { lock.notify(); } catch (IllegalMonitorStateException e) { o(e.getMessage()); }
        try { lock.wait(); } catch (IllegalMonitorStateException e) { o(e.getMessage()); }
        Thread d = new Thread(() -> { while (true) Thread.yield(); });
        d.setDaemon(true);
        d.start();
        o(d.isDaemon());
        try { t.start(); } catch (IllegalThreadStateException e) { o(e); }
        int[] cnt = {0};
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) {
            ts[i] = new Thread(() -> {
                for (int k = 0; k < 500; k++) synchronized (cnt) { cnt[0]++; }
            });
            ts[i].start();
        }
        for (Thread q : ts) q.join();
        o(cnt[0]);
        ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 7);
        tl.set(8);
        int[] got = new int[1];
        Thread tt = new Thread(() -> got[0] = tl.get());
        tt.start();
        tt.join();
        o(tl.get() + " " + got[0]);
        Thread u = new Thread(() -> { throw new RuntimeException("unc"); }, "U");
        u.setUncaughtExceptionHandler((th, e) -> log.add(th.getName() + e.getMessage()));
        u.start();
        u.join();
        o(log);
        o(Thread.currentThread().getName() + Thread.currentThread().getPriority() + Thread.currentThread().getThreadGroup().getName() + Thread.currentThread().getId() + Thread.holdsLock(lock));
        Thread.currentThread().interrupt();
        o(Thread.interrupted() + "" + Thread.interrupted());
        Thread.currentThread().interrupt();
        try { Thread.sleep(10); } catch (InterruptedException e) { o(e.getMessage()); }
        Timer tm = new Timer(true);
        CountDownLatch cl = new CountDownLatch(3);
        tm.scheduleAtFixedRate(new TimerTask() { public void run() { cl.countDown(); } }, 1, 1);
        cl.await();
        o("latched");
        tm.cancel();
        InheritableThreadLocal<String> il = new InheritableThreadLocal<>();
        il.set("inh");
        Thread it = new Thread(() -> log.add(il.get()));
        it.start();
        it.join();
        o(log.get(log.size() - 1));
        long t0 = System.nanoTime();
        Thread.sleep(20);
        o(System.nanoTime() - t0 >= 20_000_000L);
        Thread ex = new Thread(() -> { throw new IllegalStateException("in thread"); }, "Bad-1");
        ex.start();
        ex.join();
        o("end");
    }


}
