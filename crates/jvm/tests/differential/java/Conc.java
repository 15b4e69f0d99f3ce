import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Threads, monitors, executors, atomics, locks. */
public class Conc {
    interface Case { Object run() throws Exception; }
    static int count, first = 1;
    static void is(String name, Case c) {
        if (++count < first) return;
        String text;
        try { text = String.valueOf(c.run()); } catch (Throwable t) { text = "threw " + t; }
        System.out.println(count + " " + name + ": " + text);
    }
    static class Counter { int n; synchronized void inc() { n++; } static int s; static synchronized void sinc() { s++; } }
    static class Buffer { final Queue<Integer> q = new LinkedList<>(); synchronized void put(int x) throws InterruptedException { while (q.size() >= 2) wait(); q.add(x); notifyAll(); } synchronized int take() throws InterruptedException { while (q.isEmpty()) wait(); int x = q.remove(); notifyAll(); return x; } }
    static volatile boolean flag;

    public static void main(String[] args) throws Exception {
        if (args.length > 0) first = Integer.parseInt(args[0]);
        is("sync", () -> { Counter c = new Counter(); Thread[] t = new Thread[4]; for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { for (int k = 0; k < 1000; k++) { c.inc(); Counter.sinc(); } }); t[i].start(); } for (Thread x : t) x.join(); return c.n + " " + Counter.s; });
        is("producer", () -> { Buffer b = new Buffer(); Thread p = new Thread(() -> { try { for (int i = 0; i < 20; i++) b.put(i); } catch (InterruptedException e) {} }); p.start(); int s = 0; for (int i = 0; i < 20; i++) s += b.take(); p.join(); return s; });
        is("executor", () -> { ExecutorService e = Executors.newFixedThreadPool(3); List<Future<Integer>> f = new ArrayList<>(); for (int i = 0; i < 6; i++) { int k = i; f.add(e.submit(() -> k * k)); } int s = 0; for (Future<Integer> x : f) s += x.get(); e.shutdown(); return s + " " + e.awaitTermination(1, TimeUnit.SECONDS) + e.isShutdown(); });
        is("executor fail", () -> { ExecutorService e = Executors.newSingleThreadExecutor(); try { return e.submit(() -> { throw new IllegalStateException("task"); }).get(); } catch (ExecutionException x) { return x.getMessage() + x.getCause(); } finally { e.shutdownNow(); } });
        is("invokeAll", () -> { ExecutorService e = Executors.newCachedThreadPool(); try { int s = 0; for (var f : e.invokeAll(List.<Callable<Integer>>of(() -> 1, () -> 2, () -> 3))) s += f.get(); return s + " " + e.invokeAny(List.<Callable<String>>of(() -> "any")); } finally { e.shutdown(); } });
        is("scheduled", () -> { ScheduledExecutorService e = Executors.newScheduledThreadPool(1); ScheduledFuture<String> f = e.schedule(() -> "later", 10, TimeUnit.MILLISECONDS); try { return f.get(); } finally { e.shutdown(); } });
        is("completable", () -> CompletableFuture.supplyAsync(() -> 20).thenApply(x -> x + 1).thenCombine(CompletableFuture.supplyAsync(() -> 2), (a, b) -> a * b).get() + " " + CompletableFuture.supplyAsync(() -> { if (true) throw new RuntimeException("x"); return 1; }).exceptionally(t -> -1).join() + CompletableFuture.allOf(CompletableFuture.runAsync(() -> {}), CompletableFuture.completedFuture(1)).thenApply(v -> "all").get() + CompletableFuture.anyOf(CompletableFuture.completedFuture("a")).get() + CompletableFuture.completedFuture(3).thenCompose(x -> CompletableFuture.completedFuture(x + 1)).get() + CompletableFuture.failedFuture(new Error("e")).handle((v, t) -> t.getMessage()).get());
        is("forkjoin", () -> { class Sum extends RecursiveTask<Long> { int a, b; Sum(int a, int b) { this.a = a; this.b = b; } protected Long compute() { if (b - a < 10) { long s = 0; for (int i = a; i < b; i++) s += i; return s; } Sum l = new Sum(a, (a + b) / 2), r = new Sum((a + b) / 2, b); l.fork(); return r.compute() + l.join(); } } return new ForkJoinPool(2).invoke(new Sum(0, 1000)) + " " + ForkJoinPool.commonPool().submit(new Sum(0, 100)).get(); });
        is("parallel stream", () -> IntStream.range(0, 10000).parallel().mapToLong(x -> x).sum() + " " + Arrays.asList(5, 3, 1).parallelStream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
        is("atomics", () -> { AtomicInteger i = new AtomicInteger(5); AtomicLong l = new AtomicLong(); AtomicBoolean b = new AtomicBoolean(); AtomicReference<String> r = new AtomicReference<>("a"); AtomicIntegerArray a = new AtomicIntegerArray(3); LongAdder ad = new LongAdder(); LongAccumulator ac = new LongAccumulator(Math::max, 0); ad.add(5); ad.increment(); ac.accumulate(9); a.addAndGet(1, 4); return i.getAndIncrement() + " " + i.updateAndGet(x -> x * 2) + i.accumulateAndGet(3, Math::max) + l.decrementAndGet() + b.compareAndSet(false, true) + b.getAndSet(false) + r.getAndUpdate(s -> s + "b") + r + a + ad + ac + i.compareAndExchange(12, 1) + new AtomicStampedReference<>("x", 3).getStamp() + i.getPlain(); });
        is("locks", () -> { ReentrantLock l = new ReentrantLock(); Condition c = l.newCondition(); int[] box = {0}; Thread t = new Thread(() -> { l.lock(); try { box[0] = 5; c.signalAll(); } finally { l.unlock(); } }); l.lock(); try { t.start(); while (box[0] == 0) c.await(); } finally { l.unlock(); } return box[0] + " " + l.tryLock() + l.getHoldCount() + l.isLocked(); });
        is("unlock bad", () -> { new ReentrantLock().unlock(); return 0; });
        is("rwlock", () -> { ReentrantReadWriteLock l = new ReentrantReadWriteLock(); l.readLock().lock(); l.readLock().lock(); int n = l.getReadLockCount(); l.readLock().unlock(); l.readLock().unlock(); l.writeLock().lock(); boolean w = l.isWriteLocked(); l.writeLock().unlock(); StampedLock s = new StampedLock(); long st = s.tryOptimisticRead(); return n + " " + w + s.validate(st); });
        is("latch", () -> { CountDownLatch l = new CountDownLatch(3); for (int i = 0; i < 3; i++) new Thread(l::countDown).start(); l.await(); return l.getCount(); });
        is("barrier", () -> { StringBuffer b = new StringBuffer(); CyclicBarrier c = new CyclicBarrier(2, () -> b.append("tripped")); Thread t = new Thread(() -> { try { c.await(); } catch (Exception e) {} }); t.start(); c.await(); t.join(); return b; });
        is("semaphore", () -> { Semaphore s = new Semaphore(2); s.acquire(); return s.tryAcquire() + " " + s.tryAcquire() + s.availablePermits() + s.tryAcquire(5, TimeUnit.MILLISECONDS); });
        is("phaser", () -> { Phaser p = new Phaser(1); int a = p.arrive(); return a + " " + p.getPhase(); });
        is("exchanger", () -> { Exchanger<String> e = new Exchanger<>(); String[] got = {null}; Thread t = new Thread(() -> { try { got[0] = e.exchange("t"); } catch (InterruptedException x) {} }); t.start(); String m = e.exchange("m"); t.join(); return m + got[0]; });
        is("queues", () -> { BlockingQueue<Integer> q = new LinkedBlockingQueue<>(2); q.put(1); q.offer(2); boolean full = q.offer(3); Integer none = new ArrayBlockingQueue<Integer>(1).poll(3, TimeUnit.MILLISECONDS); PriorityBlockingQueue<Integer> p = new PriorityBlockingQueue<>(List.of(3, 1, 2)); ConcurrentLinkedQueue<Integer> c = new ConcurrentLinkedQueue<>(List.of(1, 2)); LinkedBlockingDeque<Integer> d = new LinkedBlockingDeque<>(); d.addFirst(1); return q + " " + full + none + p.take() + c.poll() + d + new ConcurrentLinkedDeque<>(List.of(4)); });
        is("synchronous queue", () -> { SynchronousQueue<String> q = new SynchronousQueue<>(); new Thread(() -> { try { q.put("handed"); } catch (InterruptedException e) {} }).start(); return q.take(); });
        is("concurrent map", () -> { ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>(); for (int i = 0; i < 200; i++) m.merge("k" + i % 20, 1, Integer::sum); ConcurrentSkipListMap<Integer, String> s = new ConcurrentSkipListMap<>(); for (int i = 10; i > 0; i--) s.put(i, "v"); return m.size() + " " + m.get("k3") + m.reduceValues(1000, Integer::sum) + s.firstKey() + s.headMap(4) + m.mappingCount() + m.search(1, (k, v) -> k.equals("k5") ? v : null) + new ConcurrentSkipListSet<>(List.of(3, 1)) + ConcurrentHashMap.newKeySet().add("x"); });
        is("cow", () -> { CopyOnWriteArrayList<Integer> l = new CopyOnWriteArrayList<>(List.of(1, 2, 3)); for (int x : l) l.add(x + 10); return l + " " + new CopyOnWriteArraySet<>(List.of(1)) + Collections.synchronizedList(new ArrayList<>(List.of(1))); });
        is("interrupt", () -> { StringBuffer b = new StringBuffer(); Thread t = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { b.append(e.getMessage()).append(Thread.currentThread().isInterrupted()); } }); t.start(); t.interrupt(); t.join(); return b + " " + t.getState() + t.isAlive(); });
        is("interrupt wait", () -> { StringBuffer b = new StringBuffer(); Object o = new Object(); Thread t = new Thread(() -> { synchronized (o) { try { o.wait(); } catch (InterruptedException e) { b.append("int"); } } }); t.start(); while (t.getState() != Thread.State.WAITING) Thread.yield(); t.interrupt(); t.join(); return b; });
        is("join timeout", () -> { Thread t = new Thread(() -> { try { Thread.sleep(200); } catch (InterruptedException e) {} }); t.start(); t.join(10); boolean a = t.isAlive(); t.join(); return a + " " + t.isAlive(); });
        is("wait timeout", () -> { Object o = new Object(); synchronized (o) { o.wait(5); } return "ok"; });
        is("wait bad", () -> { new Object().wait(); return 0; });
        is("notify bad", () -> { new Object().notify(); return 0; });
        is("daemon", () -> { Thread t = new Thread(() -> { while (true) { try { Thread.sleep(1000); } catch (InterruptedException e) { return; } } }); t.setDaemon(true); t.start(); return t.isDaemon(); });
        is("start twice", () -> { Thread t = new Thread(() -> {}); t.start(); t.join(); t.start(); return 0; });
        is("volatile", () -> { Thread t = new Thread(() -> { while (!flag) Thread.onSpinWait(); }); t.start(); flag = true; t.join(); return "seen"; });
        is("threadlocal", () -> { ThreadLocal<Integer> l = ThreadLocal.withInitial(() -> 1); l.set(5); int[] other = {0}; Thread t = new Thread(() -> other[0] = l.get()); t.start(); t.join(); l.remove(); return other[0] + " " + l.get(); });
        is("timer", () -> { java.util.Timer t = new java.util.Timer(true); CountDownLatch l = new CountDownLatch(1); t.schedule(new TimerTask() { public void run() { l.countDown(); } }, 5); l.await(); t.cancel(); return "fired"; });
        is("timeunit", () -> TimeUnit.SECONDS.toMillis(3) + " " + TimeUnit.MILLISECONDS.convert(2, TimeUnit.MINUTES));
        is("thread factory", () -> { ExecutorService e = Executors.newFixedThreadPool(1, r -> new Thread(r, "named")); try { return e.submit(() -> Thread.currentThread().getName()).get(); } finally { e.shutdown(); } });
        is("future cancel", () -> { FutureTask<Integer> f = new FutureTask<>(() -> 1); f.cancel(true); return f.isCancelled() + " " + f.isDone(); });
        is("timeout", () -> new CompletableFuture<Integer>().get(5, TimeUnit.MILLISECONDS));
        is("inheritable", () -> { InheritableThreadLocal<String> l = new InheritableThreadLocal<>(); l.set("p"); String[] c = {null}; Thread t = new Thread(() -> c[0] = l.get()); t.start(); t.join(); return c[0]; });
        is("philosophers", () -> { Object[] f = new Object[3]; for (int i = 0; i < 3; i++) f[i] = new Object(); AtomicInteger ate = new AtomicInteger(); List<Thread> ts = new ArrayList<>(); for (int i = 0; i < 3; i++) { Object a = f[Math.min(i, (i + 1) % 3)], b = f[Math.max(i, (i + 1) % 3)]; Thread t = new Thread(() -> { for (int k = 0; k < 10; k++) synchronized (a) { synchronized (b) { ate.incrementAndGet(); } } }); ts.add(t); t.start(); } for (Thread t : ts) t.join(); return ate; });
    }
}
