package ij.plugin;

/** Reads an image by ImageJ's decoder. */
public class BmpImage {
    public static void main(String[] args) {
        BMPDecoder decoder = new BMPDecoder();
        try {
            decoder.read(System.in);
        } catch (Exception refused) {
            if (refused instanceof ArrayIndexOutOfBoundsException) throw (ArrayIndexOutOfBoundsException) refused;
            return;
        }
        System.out.println("read");
    }
}
