import com.drew.imaging.ico.IcoMetadataReader;
import com.drew.metadata.Directory;
import com.drew.metadata.Metadata;

/** Reads what an image says about itself. */
public class Ico {
    public static void main(String[] args) throws java.io.IOException {
        int tags = 0;
        {
            Metadata metadata = IcoMetadataReader.readMetadata(System.in);
            for (Directory directory : metadata.getDirectories()) tags += directory.getTagCount();
        }
        System.out.println(tags);
    }
}
