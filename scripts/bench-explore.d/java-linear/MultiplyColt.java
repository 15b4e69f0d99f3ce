import cern.colt.matrix.impl.DenseDoubleMatrix2D;
import cern.colt.matrix.linalg.Algebra;
import soundline.Symbolic;

/** The product of two matrices by colt. */
public class MultiplyColt {
    static double[][] matrix(String name, int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = Symbolic.doubleInput(name + i + j);
        return a;
    }

    public static void main(String[] args) {
        try {
            System.out.println(Algebra.DEFAULT.mult(new DenseDoubleMatrix2D(matrix("a", 2)), new DenseDoubleMatrix2D(matrix("b", 2))).cardinality());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            System.out.println("refused");
        }
    }
}
