// holds
import soundline.Symbolic;

/** Two ways of counting bits agree. */
public class BitCount {
    public static void main(String[] args) {
        int x = Symbolic.byteInput("x") & 0xff, count = 0;
        for (int y = x; y != 0; y &= y - 1) count++;
        assert count == Integer.bitCount(x);
    }
}
