import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.LUDecomposition;
import soundline.Symbolic;

/** The LU decomposition by commons-math. */
public class LuMath3 {
    static double[][] matrix(String name, int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = Symbolic.doubleInput(name + i + j);
        return a;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new LUDecomposition(new Array2DRowRealMatrix(matrix("a", 2))).getSolver().isNonSingular());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            System.out.println("refused");
        }
    }
}
