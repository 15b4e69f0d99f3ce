import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads a table with commas and counts its cells. */
public class Csv {
    public static void main(String[] args) throws Exception {
        CSVFormat format = CSVFormat.EXCEL.builder().setHeader().setCommentMarker('#').build();
        int cells = 0;
        try (CSVParser parser = CSVParser.parse(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1), format)) {
            for (CSVRecord record : parser) cells += record.size();
        } catch (java.io.IOException | IllegalArgumentException | IllegalStateException refused) {
            return;
        }
        System.out.println(cells);
    }
}
