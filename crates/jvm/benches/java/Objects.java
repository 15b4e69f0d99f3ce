/** Fields and calls: counters behind an interface and a virtual method. */
public class Objects {
    interface Step { int step(int x); }

    static class Add implements Step {
        private int sum;

        int sum() { return sum; }

        public int step(int x) {
            sum += x;
            return sum() - x;
        }
    }

    static int work(int n) {
        Add add = new Add();
        Step step = add;
        int last = 0;
        for (int i = 0; i < n; i++) last = step.step(i);
        return last + add.sum();
    }

    public static void main(String[] args) { System.out.println(work(Integer.parseInt(args[0]))); }
}
