import java.io.File;
import java.io.FileOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyPairGenerator;
import java.text.DateFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** What programs use of the JDK's other modules, and of reflection where it refuses. */
public class Facets {
    static String shared = "as initialised";
    static float amount = 1.5f;

    static class Late {
        static String text = "by the initialiser";
    }

    static class Shape {
        private int corners() {
            return 4;
        }

        public int scaled(int by, String unit) {
            return by;
        }
    }

    static void attempt(String name, Callable<?> call) {
        try {
            System.out.println(name + ": " + call.call());
        } catch (Throwable thrown) {
            System.out.println(name + ": " + thrown + (thrown.getCause() == null ? "" : " by " + thrown.getCause()));
        }
    }

    static void locales() {
        System.out.println(String.format(Locale.GERMANY, "%,.2f", 1234.5));
        System.out.println(NumberFormat.getInstance(Locale.FRANCE).format(12345.6));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.GERMANY).format(3.5));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.JAPAN).format(2));
        System.out.println(LocalDate.of(2024, 5, 6).format(DateTimeFormatter.ofPattern("EEEE d MMMM", Locale.FRENCH)));
        System.out.println(DateFormat.getDateInstance(DateFormat.LONG, Locale.ITALY).format(new Date(0)));
        System.out.println(DayOfWeek.MONDAY.getDisplayName(TextStyle.SHORT, Locale.GERMAN));
        System.out.println(new DecimalFormat("#,##0.0", DecimalFormatSymbols.getInstance(Locale.GERMANY)).format(12345.6));
        System.out.println(Calendar.getInstance(Locale.FRANCE).getFirstDayOfWeek());
        System.out.println(Locale.GERMANY.getDisplayLanguage(Locale.GERMANY));
    }

    static void modules() throws Exception {
        System.out.println(Arrays.toString("日本".getBytes("Shift_JIS")) + new String(new byte[] {(byte) 0xc4, (byte) 0xe3}, "GBK"));
        System.out.println(KeyPairGenerator.getInstance("EC").getAlgorithm());
        System.out.println(new java.awt.Point(1, 2) + " " + new java.awt.Rectangle(1, 2, 3, 4).union(new java.awt.Rectangle(9, 9)));
        System.out.println(new java.awt.Color(1, 2, 3) + " " + new java.awt.Dimension(4, 5));
        Path zip = Path.of("files.zip");
        try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream(zip.toFile()))) {
            out.putNextEntry(new ZipEntry("inside.txt"));
            out.write("hello".getBytes());
            out.closeEntry();
        }
        try (ZipFile file = new ZipFile(zip.toFile())) {
            ZipEntry entry = file.getEntry("inside.txt");
            System.out.println(file.size() + new String(file.getInputStream(entry).readAllBytes()));
        }
        try (FileSystem files = FileSystems.newFileSystem(zip)) {
            System.out.println(Files.readString(files.getPath("/inside.txt")));
        }
        Path from = Path.of("from.bin");
        Files.write(from, new byte[] {1, 2, 3, 4, 5});
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = FileChannel.open(Path.of("to.bin"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            System.out.println(in.map(FileChannel.MapMode.READ_ONLY, 1, 4).getInt() + " " + in.transferTo(0, 5, out));
        }
        System.out.println(Arrays.toString(Files.readAllBytes(Path.of("to.bin"))));
        System.out.println(new File("/x/y/../z/./w//v").getCanonicalPath());
        ProcessHandle process = ProcessHandle.current();
        System.out.println((process.pid() > 0) + " " + process.isAlive());
        process.parent();
    }

    static void reflection() throws Exception {
        Shape shape = new Shape();
        Method corners = Shape.class.getDeclaredMethod("corners");
        Method scaled = Shape.class.getMethod("scaled", int.class, String.class);
        corners.setAccessible(true);
        attempt("another receiver", () -> corners.invoke("text"));
        attempt("another argument", () -> scaled.invoke(shape, 1, 2));
        attempt("null for a number", () -> scaled.invoke(shape, null, "m"));
        attempt("null for a reference", () -> scaled.invoke(shape, (short) 3, null));
        attempt("too wide", () -> scaled.invoke(shape, 3L, "m"));
        attempt("constructor", () -> ArrayList.class.getConstructor(Collection.class).newInstance("text"));
    }

    static void handles() throws Exception {
        VarHandle late = MethodHandles.lookup().findStaticVarHandle(Late.class, "text", String.class);
        late.set("by the handle");
        System.out.println(Late.text + ", " + (String) late.getAndSet("again") + ", " + Late.text);
        VarHandle number = MethodHandles.lookup().findStaticVarHandle(Facets.class, "amount", float.class);
        System.out.println(number.varType() + " " + late.varType());
        System.out.println((float) number.getAndAdd(2.25f) + " " + amount);
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            VarHandle view = MethodHandles.byteBufferViewVarHandle(long[].class, order);
            ByteBuffer buffer = ByteBuffer.allocate(16).put(1, (byte) 7).position(0);
            System.out.println((long) view.get(buffer.slice(1, 12), 0) + " " + (long) view.get(buffer, 0));
            ByteBuffer direct = ByteBuffer.allocateDirect(16);
            view.set(direct, 8, 0x0102030405060708L);
            System.out.println(direct.get(8));
            attempt("beyond", () -> (long) view.get(buffer, 9) == 0 ? 1 : 2);
        }
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    static void sizes() throws Exception {
        System.out.println(depth(8000));
        String text = "";
        for (int i = 0; i < 8_000; i++) {
            text += "x";
        }
        System.out.println(text.length());
        StackTraceElement here = new Throwable().getStackTrace()[0];
        System.out.println(here.getClassLoaderName() + " " + here.getModuleName() + " " + here);
    }

    public static void main(String[] args) throws Exception {
        locales();
        modules();
        reflection();
        handles();
        sizes();
    }
}
