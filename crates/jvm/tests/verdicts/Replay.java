import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Runs the programs of the file "cases", each on its input, and prints how each ended. */
public class Replay {
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        URL[] urls = {folder.toUri().toURL()};
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        for (String line : Files.readAllLines(folder.resolve("cases"))) {
            String[] words = line.split(" ");
            System.getProperties().keySet().removeIf(name -> name.toString().startsWith("soundline."));
            System.setIn(new ByteArrayInputStream(new byte[0]));
            for (int i = 1; i < words.length; i++) {
                String[] parts = words[i].split("=", 2);
                if (parts[0].equals("stdin")) System.setIn(new ByteArrayInputStream(HexFormat.of().parseHex(parts[1])));
                else System.setProperty("soundline." + parts[0], parts[1]);
            }
            String ending = "returned";
            // A loader of its own: what a program keeps in static fields is its own.
            try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
                loader.setDefaultAssertionStatus(true);
                loader.loadClass(words[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException thrown) {
                ending = thrown.getCause().getClass().getName();
            }
            out.println(words[0] + " " + ending);
        }
    }
}
