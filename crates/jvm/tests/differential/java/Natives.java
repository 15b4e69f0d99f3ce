import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.ObjectStreamClass;
import java.io.RandomAccessFile;
import java.io.Serializable;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Adler32;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** What the other programs leave of the table of natives. */
@SuppressWarnings({"removal", "deprecation", "sunapi"})
public class Natives {
    interface Case { Object run() throws Throwable; }

    static void is(String name, Case c) {
        String text;
        try {
            text = String.valueOf(c.run());
        } catch (Throwable t) {
            text = "threw " + t;
        }
        System.out.println(name + ": " + text);
    }

    static class Cells implements Serializable {
        static int made = 7;
        byte b;
        short s;
        char c;
        float f;
        double d;
        boolean z;
        long l;
        Object o;
    }

    static class Untouched { static int value = 3; }

    class Inner {}

    static long at(sun.misc.Unsafe unsafe, String name) throws Exception { return unsafe.objectFieldOffset(Cells.class.getDeclaredField(name)); }

    static void parameters(int first, String second) {}

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Throwable {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        sun.misc.Unsafe u = (sun.misc.Unsafe) field.get(null);
        Cells cells = new Cells();
        is("bytes", () -> { u.putByteVolatile(cells, at(u, "b"), (byte) -3); return u.getByteVolatile(cells, at(u, "b")); });
        is("shorts", () -> { u.putShort(cells, at(u, "s"), (short) -300); u.putShortVolatile(cells, at(u, "s"), (short) (u.getShort(cells, at(u, "s")) - 1)); return u.getShortVolatile(cells, at(u, "s")); });
        is("chars", () -> { u.putChar(cells, at(u, "c"), 'x'); u.putCharVolatile(cells, at(u, "c"), (char) (u.getChar(cells, at(u, "c")) + 1)); return u.getCharVolatile(cells, at(u, "c")); });
        is("floats", () -> { u.putFloat(cells, at(u, "f"), 1.5f); u.putFloatVolatile(cells, at(u, "f"), u.getFloat(cells, at(u, "f")) * 2); return u.getFloatVolatile(cells, at(u, "f")); });
        is("doubles", () -> { u.putDoubleVolatile(cells, at(u, "d"), 2.25); return u.getDoubleVolatile(cells, at(u, "d")); });
        is("booleans", () -> { u.putBoolean(cells, at(u, "z"), true); u.putBooleanVolatile(cells, at(u, "z"), !u.getBoolean(cells, at(u, "z"))); return u.getBooleanVolatile(cells, at(u, "z")); });
        is("longs", () -> { u.putLongVolatile(cells, at(u, "l"), 1L << 40); return u.getLongVolatile(cells, at(u, "l")); });
        is("fences", () -> { u.fullFence(); u.loadFence(); u.storeFence(); VarHandle.fullFence(); VarHandle.releaseFence(); VarHandle.loadLoadFence(); VarHandle.storeStoreFence(); return "done"; });
        is("memory", () -> {
            long block = u.allocateMemory(32);
            u.setMemory(block, 32, (byte) 0);
            u.putLong(block, 0x0102030405060708L);
            u.copyMemory(block, block + 8, 8);
            long copied = u.getLong(block + 8);
            u.freeMemory(block);
            return Long.toHexString(copied) + " " + u.addressSize();
        });
        is("instance", () -> ((Cells) u.allocateInstance(Cells.class)).b);
        is("initialised", () -> u.shouldBeInitialized(Untouched.class) + " " + Untouched.value + " " + u.shouldBeInitialized(Untouched.class));
        is("throws", () -> { u.throwException(new java.io.IOException("sneaky")); return null; });
        is("exchange", () -> new AtomicLong(5).compareAndExchange(5, 6) + " " + new AtomicReference<>("a").compareAndExchange("b", "c"));
        is("arrays", () -> {
            StringBuilder out = new StringBuilder();
            Object[] all = {new long[2], new byte[2], new short[2], new char[2], new float[2], new double[2], new boolean[2], new int[2]};
            Array.setLong(all[0], 0, 5L);
            Array.setByte(all[1], 0, (byte) 6);
            Array.setShort(all[2], 0, (short) 7);
            Array.setChar(all[3], 0, 'q');
            Array.setFloat(all[4], 0, 1.5f);
            Array.setDouble(all[5], 0, 2.5);
            Array.setBoolean(all[6], 0, true);
            Array.set(all[7], 0, 9);
            Array.set(all[0], 1, (short) 3);
            out.append(Array.getLong(all[0], 0)).append(Array.getByte(all[1], 0)).append(Array.getShort(all[2], 0)).append(Array.getChar(all[3], 0));
            out.append(Array.getFloat(all[4], 0)).append(Array.getDouble(all[5], 0)).append(Array.getBoolean(all[6], 0)).append(Array.get(all[7], 0)).append(Array.getLong(all[0], 1));
            return out;
        });
        is("array wrong", () -> { Array.set(new int[1], 0, "x"); return null; });
        is("array wide", () -> { Array.set(new int[1], 0, 5L); return null; });
        is("array bounds", () -> { Array.set(new int[1], 1, 5); return null; });
        is("runtime", () -> Runtime.getRuntime().freeMemory() > 0 && Runtime.getRuntime().maxMemory() > 0);
        is("phantom", () -> { Object o = new Object(); return new PhantomReference<>(o, new ReferenceQueue<>()).refersTo(o); });
        is("classes", () -> {
            TreeSet<String> names = new TreeSet<>();
            for (Class<?> c : Natives.class.getDeclaredClasses()) names.add(c.getSimpleName());
            return names;
        });
        is("nest", () -> Inner.class.getNestHost().getName() + Inner.class.isNestmateOf(Cells.class) + String.class.isNestmateOf(Cells.class));
        is("signers", () -> Natives.class.getSigners());
        is("annotated", () -> Natives.class.getAnnotatedSuperclass().getType() + " " + Cells.class.getDeclaredField("b").getAnnotatedType().getType());
        is("parameters", () -> {
            Method method = Natives.class.getDeclaredMethod("parameters", int.class, String.class);
            return Arrays.toString(method.getParameters()) + method.getAnnotatedReturnType().getType();
        });
        is("assertions", () -> Cells.class.desiredAssertionStatus() + " " + String.class.desiredAssertionStatus());
        is("serial", () -> ObjectStreamClass.lookup(Cells.class).getSerialVersionUID());
        is("module", () -> {
            Module base = Object.class.getModule(), own = Natives.class.getModule();
            return base.isExported("java.lang") + " " + base.isExported("java.util", own) + " " + own.isOpen("x") + " " + own.isOpen("x", base) + " " + own.canRead(base) + " " + own.getName();
        });
        is("library", () -> System.mapLibraryName("soundline"));
        is("lock", () -> { Object o = new Object(); synchronized (o) { return Thread.holdsLock(o) + " " + Thread.holdsLock(cells); } });
        is("name", () -> { Thread.currentThread().setName("renamed"); String name = Thread.currentThread().getName(); Thread.currentThread().setName("main"); return name; });
        is("fma", () -> Math.fma(2f, 3f, 4f));
        is("adler", () -> { Adler32 a = new Adler32(); a.update(7); a.update(8); return a.getValue(); });
        is("zip sums", () -> {
            Deflater d = new Deflater();
            d.setInput(new byte[] {1, 2, 3});
            d.finish();
            byte[] packed = new byte[100];
            int size = d.deflate(packed);
            Inflater i = new Inflater();
            i.setInput(packed, 0, size);
            i.inflate(new byte[3]);
            return d.getAdler() + " " + i.getAdler();
        });
        is("utf16", () -> "\u4e00\u4e8c".equals("\u4e00\u4e8c".toString().concat("")) + " " + "\u4e00".equals("\u4e8c") + " " + new String("\u4e00\u4e8c").equals(new StringBuilder("\u4e00").append('\u4e8c').toString()));
        is("access file", () -> {
            try (RandomAccessFile f = new RandomAccessFile("access.bin", "rw")) {
                f.write(new byte[] {1, 2, 3, 4, 5});
                f.setLength(4);
                f.seek(1);
                byte[] bytes = new byte[8];
                return f.read(bytes) + Arrays.toString(bytes) + f.length() + f.read();
            }
        });
        is("skip", () -> { try (FileInputStream f = new FileInputStream("access.bin")) { return f.skip(2) + " " + f.read() + f.available(); } });
        is("files", () -> {
            File folder = new File("folder"), file = new File(folder, "a"), other = new File(folder, "b");
            String made = folder.mkdir() + " " + file.createNewFile() + file.createNewFile() + file.renameTo(other);
            return made + (other.lastModified() > 0) + other.delete() + folder.delete() + folder.exists();
        });
        is("paths", () -> {
            Path folder = Files.createDirectory(Path.of("one")), deep = Files.createDirectories(Path.of("two", "three")), file = Files.createFile(folder.resolve("x"));
            return Files.isDirectory(deep) + " " + Files.isRegularFile(file) + Files.isReadable(file) + Files.isWritable(file) + Files.notExists(file) + Files.notExists(Path.of("none"));
        });
        is("direct", () -> ByteBuffer.allocateDirect(16).putInt(5).putLong(6).flip().remaining());
        is("clock", () -> java.time.Instant.now().getEpochSecond() > 1_500_000_000L);
        System.out.flush();
        Runtime.getRuntime().halt(4);
    }
}
