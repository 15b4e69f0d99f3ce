import org.la4j.LinearAlgebra;
import org.la4j.matrix.dense.Basic2DMatrix;
import soundline.Symbolic;

/** A linear system by the square root method, by la4j. */
public class SquareRootLa4j {
    static double[][] matrix(String name, int n) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = Symbolic.doubleInput(name + i + j);
        return a;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new Basic2DMatrix(matrix("a", 2)).withSolver(LinearAlgebra.SQUARE_ROOT).solve(new Basic2DMatrix(matrix("b", 2)).getColumn(0)).length());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            System.out.println("refused");
        }
    }
}
