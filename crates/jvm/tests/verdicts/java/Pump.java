// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A pump in a mine never runs while there is methane. */
public class Pump {
    private boolean running, methane;
    private int water;

    void step(int event) {
        switch (event) {
            case 0 -> water++;
            case 1 -> methane = !methane;
            default -> {}
        }
        if (methane) running = false;
        else if (water > 1) running = true;
        if (running) water--;
        if (water == 0) running = false;
    }

    public static void main(String[] args) {
        Pump pump = new Pump();
        for (int i = 0; i < 5; i++) {
            pump.step(Verifier.nondetInt());
            assert !(pump.running && pump.methane);
            assert pump.water >= 0;
        }
    }
}
