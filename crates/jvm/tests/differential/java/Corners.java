import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What only few programs ask for. */
public class Corners {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Weight { float value() default 1.5f; long many() default 1L << 40; }

    @Weight(2.25f)
    static class Heavy {}

    static void o(Object x) { System.out.println(x); }

    static int deep(int n) {
        if (n > 0) return deep(n - 1);
        StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        o(walker.walk(frames -> frames.map(StackWalker.StackFrame::getMethodName).distinct()
                .collect(Collectors.toList())));
        o(walker.walk(frames -> frames.count()));
        o(walker.walk(frames -> frames.skip(1).findFirst()).get().getDescriptor());
        o(walker.walk(frames -> frames.skip(1).findFirst()).get().getMethodType());
        return 0;
    }

    static void handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle list = lookup.findStatic(Arrays.class, "asList", MethodType.methodType(List.class, Object[].class));
        o(list.asFixedArity().asVarargsCollector(Object[].class).invoke(1, 2));
        o(list.withVarargs(false).isVarargsCollector());
        MethodHandle join = lookup.findStatic(Corners.class, "join",
                MethodType.methodType(String.class, String.class, Object[].class, int.class));
        o(join.asCollector(1, Object[].class, 2).invoke("a", (Object) "b", (Object) 3, 4));
        MethodHandle max = lookup.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
        o(max.asSpreader(0, int[].class, 2).invoke(new int[] {4, 9}));
        try {
            o(max.asSpreader(0, int[].class, 2).invoke(new int[3]));
        } catch (IllegalArgumentException e) {
            o(e.getMessage());
        }
        o(MethodHandles.dropReturn(max).type());
        o(MethodHandles.dropArguments(max, 1, List.of(String.class, long.class)).invoke(1, "x", 2L, 5));
        MethodHandle set = MethodHandles.arrayElementSetter(String[].class);
        Object array = MethodHandles.arrayConstructor(String[].class).invoke(3);
        set.invoke((String[]) array, 1, "set");
        o(Arrays.toString((String[]) array) + MethodHandles.arrayLength(String[].class).invoke((String[]) array));
    }

    static String join(String a, Object[] b, int c) { return a + Arrays.toString(b) + c; }

    static void files() throws Exception {
        Path file = Path.of("corner.txt");
        Files.writeString(file, "0123456789");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            o(channel.write(ByteBuffer.wrap("ab".getBytes())));
            try (var lock = channel.lock()) {
                o(lock.isValid() + " " + lock.isShared());
            }
            o(channel.transferTo(0, 2, Channels.newChannel(System.out)));
        }
        o(Files.getOwner(file).getName().isEmpty() + " " + Files.isSymbolicLink(file));
        try {
            Files.readSymbolicLink(file);
        } catch (java.nio.file.FileSystemException e) {
            o(e.getClass());
        }
        o(Files.exists(file, java.nio.file.LinkOption.NOFOLLOW_LINKS) + " " + Files.notExists(Path.of("no")));
        Files.copy(file, Path.of("third.txt"));
        o(Files.size(Path.of("third.txt")));
    }

    public static void main(String[] args) throws Throwable {
        o(Heavy.class.getAnnotation(Weight.class).value() + " " + Heavy.class.getAnnotation(Weight.class).many());
        deep(40);
        handles();
        files();
        o(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getHostAddress());
        ClassLoader alone = new ClassLoader(null) {};
        try {
            alone.loadClass("Corners");
        } catch (ClassNotFoundException e) {
            o(e.getMessage());
        }
        o(alone.loadClass("java.util.List"));
    }
}
