// fails: java.lang.RuntimeException
import org.sosy_lab.sv_benchmarks.Verifier;

/** A checked exception wrapped in an unchecked one leaves the program. */
public class WrappedCause {
    static class Broken extends Exception {
        Broken(String what) { super(what); }
    }

    static void check(long x) throws Broken {
        if (x * 3 == 4_000_000_002L) throw new Broken("three times " + x);
    }

    public static void main(String[] args) {
        try {
            check(Verifier.nondetLong());
        } catch (Broken broken) {
            throw new RuntimeException(broken);
        }
    }
}
