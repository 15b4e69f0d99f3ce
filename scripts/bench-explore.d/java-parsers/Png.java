import com.drew.imaging.png.PngMetadataReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;

/** Reads what an image says about itself. */
public class Png {
    public static void main(String[] args) {
        int tags = 0;
        try {
            Metadata metadata = PngMetadataReader.readMetadata(System.in);
            for (Directory directory : metadata.getDirectories()) tags += directory.getTagCount();
        } catch (java.io.IOException | com.drew.imaging.png.PngProcessingException refused) {
            return;
        }
        System.out.println(tags);
    }
}
