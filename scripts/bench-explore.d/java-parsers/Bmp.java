import com.drew.imaging.bmp.BmpMetadataReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;

/** Reads what an image says about itself. */
public class Bmp {
    public static void main(String[] args) throws java.io.IOException {
        int tags = 0;
        {
            Metadata metadata = BmpMetadataReader.readMetadata(System.in);
            for (Directory directory : metadata.getDirectories()) tags += directory.getTagCount();
        }
        System.out.println(tags);
    }
}
