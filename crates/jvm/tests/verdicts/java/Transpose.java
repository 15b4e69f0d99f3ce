// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A matrix transposed twice is the same. */
public class Transpose {
    static int[][] transpose(int[][] a) {
        int[][] b = new int[a[0].length][a.length];
        for (int i = 0; i < a.length; i++) for (int j = 0; j < a[i].length; j++) b[j][i] = a[i][j];
        return b;
    }

    public static void main(String[] args) {
        int[][] a = new int[2][3];
        for (int[] row : a) for (int j = 0; j < row.length; j++) row[j] = Verifier.nondetInt();
        int[][] b = transpose(transpose(a));
        for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) assert a[i][j] == b[i][j];
    }
}
