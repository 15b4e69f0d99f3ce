// Bug: StrictMath.tanh differed from HotSpot in the last bit.
// Cause: the C library's functions were used. Java's are fdlibm's, computed as they are published.
// Run: explore {file} --time-limit 60 --json
// Expect: "crashes": 0
public class JavaCosine {
    public static void main(String[] args) {
        if (Double.doubleToLongBits(StrictMath.cos(1.0)) != 0x3fe14a280fb5068cL) throw new IllegalStateException("cos");
        if (Double.doubleToLongBits(StrictMath.tanh(0.5)) != Double.doubleToLongBits(0.46211715726000973)) throw new IllegalStateException("tanh");
    }
}
