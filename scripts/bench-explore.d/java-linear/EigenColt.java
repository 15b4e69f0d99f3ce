import cern.colt.matrix.impl.DenseDoubleMatrix2D;
import cern.colt.matrix.linalg.EigenvalueDecomposition;
import soundline.Symbolic;

/** Eigenvalues by colt. */
public class EigenColt {
    static double[][] matrix(String name, int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = Symbolic.doubleInput(name + i + j);
        return a;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new EigenvalueDecomposition(new DenseDoubleMatrix2D(matrix("a", 2))).getRealEigenvalues().size());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            System.out.println("refused");
        }
    }
}
