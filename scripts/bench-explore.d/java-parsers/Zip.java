import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;

/** Lists an archive and reads its members. */
public class Zip {
    public static void main(String[] args) {
        long size = 0;
        try (ZipArchiveInputStream archive = new ZipArchiveInputStream(System.in)) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                for (int read = archive.read(); read >= 0; read = archive.read()) size++;
            }
        } catch (java.io.IOException | IllegalArgumentException refused) {
            return;
        }
        System.out.println(size);
    }
}
