/** Arithmetic on doubles: an iteration of the logistic map. */
public class Doubles {
    static double work(int n) {
        double x = 0.3, sum = 0;
        for (int i = 0; i < n; i++) {
            x = 3.7 * x * (1 - x);
            if (x > 0.5) sum += x;
        }
        return sum;
    }

    public static void main(String[] args) { System.out.println(work(Integer.parseInt(args[0]))); }
}
