import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.arj.ArjArchiveInputStream;

/** Lists an archive and reads its members. */
public class Arj {
    public static void main(String[] args) {
        long size = 0;
        try (ArjArchiveInputStream archive = new ArjArchiveInputStream(System.in)) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                for (int read = archive.read(); read >= 0; read = archive.read()) size++;
            }
        } catch (java.io.IOException | org.apache.commons.compress.archivers.ArchiveException refused) {
            return;
        }
        System.out.println(size);
    }
}
