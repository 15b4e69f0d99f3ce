import javazoom.jl.decoder.Bitstream;
import javazoom.jl.decoder.BitstreamException;
import javazoom.jl.decoder.Decoder;
import javazoom.jl.decoder.DecoderException;
import javazoom.jl.decoder.Header;
import javazoom.jl.decoder.SampleBuffer;

/** Decodes the frames of an MPEG audio stream. */
public class Mp3 {
    public static void main(String[] args) {
        int samples = 0;
        Bitstream stream = new Bitstream(System.in);
        Decoder decoder = new Decoder();
        try {
            for (Header header = stream.readFrame(); header != null; header = stream.readFrame()) {
                samples += ((SampleBuffer) decoder.decodeFrame(header, stream)).getBufferLength();
                stream.closeFrame();
            }
        } catch (BitstreamException | DecoderException refused) {
            return;
        }
        System.out.println(samples);
    }
}
