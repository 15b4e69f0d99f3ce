// Bug: two threads that wait for each other ended an exploration by its time limit.
// Cause: nothing noticed that no thread could go on. That is a crash of its own.
// Run: explore {file} --time-limit 60 --no-native --json
// Exit: 1
// Expect: deadlock
public class JavaDeadlock {
    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = new Object();
        boolean[] held = new boolean[1];
        Thread other = new Thread(() -> {
            synchronized (b) {
                synchronized (held) { held[0] = true; held.notifyAll(); }
                synchronized (a) { System.out.println("never"); }
            }
        });
        synchronized (a) {
            other.start();
            synchronized (held) { while (!held[0]) held.wait(); }
            synchronized (b) { System.out.println("never"); }
        }
    }
}
