/** Loads and stores of arrays: a sieve. */
public class Arrays {
    static int work(int n) {
        int[] cells = new int[1024];
        for (int i = 0; i < n; i++) {
            int at = i * 7 & 1023;
            cells[at] = cells[at + 13 & 1023] + i;
        }
        return cells[5];
    }

    public static void main(String[] args) { System.out.println(work(Integer.parseInt(args[0]))); }
}
