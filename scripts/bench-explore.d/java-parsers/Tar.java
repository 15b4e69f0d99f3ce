import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Lists an archive and reads its members. */
public class Tar {
    public static void main(String[] args) {
        long size = 0;
        try (TarArchiveInputStream archive = new TarArchiveInputStream(System.in)) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                for (int read = archive.read(); read >= 0; read = archive.read()) size++;
            }
        } catch (java.io.IOException | IllegalArgumentException refused) {
            return;
        }
        System.out.println(size);
    }
}
