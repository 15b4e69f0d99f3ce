// fails: java.lang.AssertionError
import org.sosy_lab.sv_benchmarks.Verifier;

/** A light that goes from red to green without yellow. */
public class TrafficLight {
    enum Light {
        RED { Light next(int c) { return c == 77 ? GREEN : YELLOW; } },
        YELLOW { Light next(int c) { return c > 0 ? GREEN : RED; } },
        GREEN { Light next(int c) { return YELLOW; } };

        abstract Light next(int c);
    }

    public static void main(String[] args) {
        Light light = Light.RED;
        for (int i = 0; i < 3; i++) {
            Light before = light;
            light = light.next(Verifier.nondetInt());
            assert !(before == Light.RED && light == Light.GREEN);
        }
    }
}
