/** A failed assertion in a nested call leaves main, through finally blocks and a shutdown hook. */
public class Exits {
    static int depth(int n) {
        try {
            if (n == 0) {
                assert n > 0 : "n is " + n;
            }
            return depth(n - 1) + 1;
        } finally {
            System.out.println("leaving " + n);
        }
    }
    public static void main(String[] args) {
        try {
            depth(2);
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
            throw new IllegalStateException("outer", e);
        }
    }
}
