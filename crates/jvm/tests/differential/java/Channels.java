import java.util.*;
import java.util.stream.*;
import java.io.*;
import java.nio.*;
import java.nio.file.*;

/** Files, folders and channels of java.nio. */
public class Channels {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        Path p = Paths.get("t.txt");
        Files.write(p, List.of("one", "two", "three"));
        o(Files.readAllLines(p) + " " + Files.size(p) + Files.exists(p) + Files.isDirectory(p) + Files.isRegularFile(p));
        Files.writeString(p, "more\n", StandardOpenOption.APPEND);
        o(Files.readString(p).length());
        try (Stream<String> s = Files.lines(p)) { o(s.filter(x -> x.contains("o")).toList()); }
        try (BufferedReader r = new BufferedReader(new FileReader("t.txt"))) {
            o(r.readLine() + r.skip(2) + (char) r.read() + r.ready());
        }
        try (RandomAccessFile f = new RandomAccessFile("r.bin", "rw")) {
            f.writeInt(7);
            f.writeUTF("hey");
            f.seek(0);
            o(f.readInt() + f.readUTF() + f.length() + f.getFilePointer());
            f.seek(2);
            f.write(9);
            f.setLength(20);
            o(f.length());
            f.seek(0);
            o(f.readInt());
        }
        try (PrintWriter w = new PrintWriter(new FileWriter("w.txt", true))) {
            w.printf("%d-%s%n", 1, "a");
            w.println(2.5);
        }
        o(new String(new FileInputStream("w.txt").readAllBytes()));
        File f = new File("w.txt");
        o(f.exists() + " " + f.length() + f.getName() + f.isFile() + f.canRead() + f.delete() + f.exists());
        try { new FileInputStream("nope.txt"); } catch (FileNotFoundException e) { o(e.getMessage()); }
        try { Files.readString(Paths.get("nope")); } catch (NoSuchFileException e) { o(e); }
        Files.createDirectories(Paths.get("d/e"));
        Files.writeString(Paths.get("d/e/x.txt"), "x");
        Files.copy(Paths.get("d/e/x.txt"), Paths.get("d/y.txt"));
        Files.move(Paths.get("d/y.txt"), Paths.get("d/z.txt"));
        try (Stream<Path> w = Files.walk(Paths.get("d"))) { o(w.map(Path::toString).sorted().toList()); }
        try (DirectoryStream<Path> ds = Files.newDirectoryStream(Paths.get("d"))) {
            List<String> n = new ArrayList<>();
            for (Path q : ds) n.add(q.getFileName().toString());
            Collections.sort(n);
            o(n);
        }
        try { Files.createDirectory(Paths.get("d")); } catch (FileAlreadyExistsException e) { o(e); }
        try { Files.delete(Paths.get("d")); } catch (DirectoryNotEmptyException e) { o(e); }
        o(Files.deleteIfExists(Paths.get("d/z.txt")) + "" + Files.deleteIfExists(Paths.get("d/z.txt")));
        Path a = Paths.get("/a/b/../c/./d.txt");
        o(a.normalize() + " " + a.getParent() + a.getFileName() + a.getNameCount() + a.getRoot() + a.subpath(1, 3) + a.resolve("q") + a.resolveSibling("s") + Paths.get("/a/b").relativize(Paths.get("/a/c/d")) + a.startsWith("/a") + a.endsWith("d.txt") + Paths.get("x").isAbsolute() + a.compareTo(Paths.get("/b")) + a.iterator().next() + Path.of("a", "b", "c"));
        o(new File("a/b/../c.txt").getPath() + new File("/x/y").getParent() + new File("q").isAbsolute() + File.separator + File.pathSeparatorChar + new File("a//b/").getPath() + new File("/p", "c").getAbsolutePath());
        Files.write(p, new byte[]{1, 2, 3});
        o(Arrays.toString(Files.readAllBytes(p)));
        try (InputStream in = Files.newInputStream(p); OutputStream out = Files.newOutputStream(Paths.get("o.bin"))) {
            in.transferTo(out);
        }
        o(Files.size(Paths.get("o.bin")) + " " + Files.mismatch(p, Paths.get("o.bin")));
        try (BufferedWriter w = Files.newBufferedWriter(p)) {
            w.write("line");
            w.newLine();
        }
        o(Files.readString(p).length());
        try (var ch = java.nio.channels.FileChannel.open(p, StandardOpenOption.READ)) {
            ByteBuffer bb = ByteBuffer.allocate(10);
            o(ch.read(bb) + " " + ch.size() + ch.position());
        }
        try (var ch = java.nio.channels.FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            o(ch.write(new ByteBuffer[] {ByteBuffer.wrap("ab".getBytes()), ByteBuffer.wrap("cde".getBytes())}));
            o(ch.write(ByteBuffer.wrap("Z".getBytes()), 1) + " " + ch.position() + " " + ch.size());
            ByteBuffer[] parts = {ByteBuffer.allocate(2), ByteBuffer.allocate(9)};
            o(ch.position(0).read(parts) + " " + new String(parts[0].array()) + parts[1]);
            ByteBuffer some = ByteBuffer.allocate(2);
            o(ch.read(some, 1) + new String(some.array()) + ch.truncate(3).size());
            ch.force(true);
            o(ch.transferTo(0, 2, java.nio.channels.Channels.newChannel(System.out)));
        }
        o(p.toRealPath().getFileName() + " " + Files.isExecutable(p) + Files.isWritable(p));
        try { Files.newByteChannel(Paths.get("d"), StandardOpenOption.WRITE); } catch (IOException e) { o(e); }
        try { new FileOutputStream("nofolder/x.txt"); } catch (IOException e) { o(e.getMessage()); }
        try { Files.writeString(Paths.get("nofolder/x.txt"), "x"); } catch (IOException e) { o(e); }
        o(new File("t.txt").setReadable(true) + "" + new File("t.txt").setLastModified(5000) + new File("t.txt").setReadOnly());
        Path tmp = Files.createTempFile("pre", ".suf");
        o(tmp.getFileName().toString().startsWith("pre"));
        Files.delete(tmp);
        File tf = File.createTempFile("abc", null);
        o(tf.exists() + "" + tf.delete());
        o(Arrays.toString(new File("d").list()) + new File("d").listFiles().length + new File("nodir").list() + new File("d/n").mkdir() + new File("d/m/k").mkdirs() + new File("d").isDirectory() + new File("o.bin").renameTo(new File("o2.bin")) + new File("o2.bin").length());
        PosixTest.x();
    }

    static class PosixTest {
        static void x() throws IOException {
            Path p = Paths.get("t.txt");
            System.out.println(Files.getAttribute(p, "size") + " " + Files.isReadable(p) + Files.isHidden(p) + Files.isSymbolicLink(p) + Files.isSameFile(p, Paths.get("./t.txt")) + Files.readAttributes(p, java.nio.file.attribute.BasicFileAttributes.class).isRegularFile());
            List<String> seen = new ArrayList<>();
            Files.walkFileTree(Paths.get("d"), new SimpleFileVisitor<Path>() {
                public FileVisitResult visitFile(Path f, java.nio.file.attribute.BasicFileAttributes a) {
                    seen.add("file " + f);
                    return FileVisitResult.CONTINUE;
                }
                public FileVisitResult postVisitDirectory(Path d, IOException e) {
                    seen.add("post " + d.getNameCount());
                    return FileVisitResult.CONTINUE;
                }
            });
            Collections.sort(seen);
            System.out.println(seen);
            try (Stream<Path> s = Files.list(Paths.get("d"))) { System.out.println(s.count()); }
            try (Stream<Path> s = Files.find(Paths.get("d"), 9, (q, b) -> b.isRegularFile())) {
                System.out.println(s.map(Path::toString).toList());
            }
        }
    }
}
