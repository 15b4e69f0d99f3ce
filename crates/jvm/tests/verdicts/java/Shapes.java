// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A rectangle of area 91 that is no square. */
public class Shapes {
    sealed interface Shape permits Square, Rectangle {}

    record Square(int side) implements Shape {}

    record Rectangle(int width, int height) implements Shape {}

    static int area(Shape shape) {
        if (shape instanceof Square s) return s.side() * s.side();
        if (shape instanceof Rectangle r && r.width() > 1 && r.height() > 1) return r.width() * r.height();
        return 0;
    }

    public static void main(String[] args) {
        int w = Verifier.nondetByte(), h = Verifier.nondetByte();
        Shape shape = w == h ? new Square(w) : new Rectangle(w, h);
        assert area(shape) != 91;
    }
}
