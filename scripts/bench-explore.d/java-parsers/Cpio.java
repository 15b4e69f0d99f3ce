import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;

/** Lists an archive and reads its members. */
public class Cpio {
    public static void main(String[] args) {
        long size = 0;
        try (CpioArchiveInputStream archive = new CpioArchiveInputStream(System.in)) {
            for (ArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                for (int read = archive.read(); read >= 0; read = archive.read()) size++;
            }
        } catch (java.io.IOException | IllegalArgumentException refused) {
            return;
        }
        System.out.println(size);
    }
}
