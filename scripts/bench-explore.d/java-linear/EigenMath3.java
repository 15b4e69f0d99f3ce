import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import soundline.Symbolic;

/** Eigenvalues by commons-math. */
public class EigenMath3 {
    static double[][] matrix(String name, int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = Symbolic.doubleInput(name + i + j);
        return a;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new EigenDecomposition(new Array2DRowRealMatrix(matrix("a", 2))).getRealEigenvalues().length);
        } catch (IllegalArgumentException | ArithmeticException refused) {
            System.out.println("refused");
        }
    }
}
