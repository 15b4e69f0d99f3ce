/** Arithmetic on ints: a random generator and its like. */
public class Integers {
    static int work(int n) {
        int x = 1, y = 0;
        for (int i = 0; i < n; i++) {
            x = x * 1103515245 + 12345;
            y ^= x >>> 7 & i;
            if ((y & 1) == 0) y += 3;
        }
        return y;
    }

    public static void main(String[] args) { System.out.println(work(Integer.parseInt(args[0]))); }
}
