import com.drew.imaging.jpeg.JpegMetadataReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;

/** Reads what an image says about itself. */
public class Jpeg {
    public static void main(String[] args) {
        int tags = 0;
        try {
            Metadata metadata = JpegMetadataReader.readMetadata(System.in);
            for (Directory directory : metadata.getDirectories()) tags += directory.getTagCount();
        } catch (java.io.IOException | com.drew.imaging.jpeg.JpegProcessingException refused) {
            return;
        }
        System.out.println(tags);
    }
}
