import java.io.*;
import java.nio.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/** Streams, readers, writers, virtual files, buffers, charsets, compression. */
public class Io {
    interface Case { Object run() throws Exception; }
    static int count, first = 1;
    static void is(String name, Case c) {
        if (++count < first) return;
        String text;
        try { text = String.valueOf(c.run()); } catch (Throwable t) { text = "threw " + t; }
        System.out.println(count + " " + name + ": " + text);
    }
    static InputStream in(String s) { return new ByteArrayInputStream(s.getBytes(StandardCharsets.UTF_8)); }

    public static void main(String[] args) {
        if (args.length > 0) first = Integer.parseInt(args[0]);
        is("scanner", () -> { Scanner s = new Scanner("3 apples\n4.5 true 99999999999\nlast line here\n"); return s.nextInt() + s.next() + s.nextDouble() + s.nextBoolean() + s.nextLong() + s.nextLine() + "|" + s.nextLine() + s.hasNext(); });
        is("scanner bad", () -> new Scanner("abc").nextInt());
        is("scanner end", () -> new Scanner("").next());
        is("scanner lines", () -> { Scanner s = new Scanner("a\n\nb"); StringBuilder b = new StringBuilder(); while (s.hasNextLine()) b.append('[').append(s.nextLine()).append(']'); return b; });
        is("scanner delim", () -> { Scanner s = new Scanner("1,2;3").useDelimiter("[,;]"); int t = 0; while (s.hasNextInt()) t += s.nextInt(); return t + s.tokens().toList().toString(); });
        is("scanner skip", () -> { Scanner s = new Scanner("x=5 y=6"); s.findInLine("(\\w)=(\\d)"); return s.match().group(2) + s.hasNext("y.*") + s.next(); });
        is("scanner stdin", () -> new Scanner(System.in).hasNext());
        is("reader", () -> { BufferedReader r = new BufferedReader(new InputStreamReader(in("l1\r\nl2\n\nl4é€"), "UTF-8")); StringBuilder b = new StringBuilder(); for (String l; (l = r.readLine()) != null;) b.append('<').append(l).append('>'); return b; });
        is("reader lines", () -> new BufferedReader(new StringReader("a\nb")).lines().toList());
        is("reader mark", () -> { BufferedReader r = new BufferedReader(new StringReader("abcdef")); r.mark(10); r.read(); r.skip(2); char c = (char) r.read(); r.reset(); return c + "" + (char) r.read() + r.ready(); });
        is("pushback", () -> { PushbackReader p = new PushbackReader(new StringReader("xy")); int c = p.read(); p.unread(c); return (char) p.read() + "" + (char) p.read() + p.read(); });
        is("linenumber", () -> { LineNumberReader r = new LineNumberReader(new StringReader("a\nb\nc")); r.readLine(); r.readLine(); return r.getLineNumber(); });
        is("tokenizer", () -> { StreamTokenizer t = new StreamTokenizer(new StringReader("x = 3.5 + 'q' // c\n")); StringBuilder b = new StringBuilder(); while (t.nextToken() != StreamTokenizer.TT_EOF) b.append(t.ttype).append(':').append(t.sval).append(t.nval).append(' '); return b; });
        is("data", () -> { ByteArrayOutputStream bo = new ByteArrayOutputStream(); DataOutputStream d = new DataOutputStream(bo); d.writeInt(-5); d.writeUTF("hé"); d.writeDouble(2.5); d.writeBoolean(true); d.writeChar('x'); d.writeShort(-3); d.writeByte(300); d.writeLong(1L << 40); d.writeFloat(1.5f); DataInputStream i = new DataInputStream(new ByteArrayInputStream(bo.toByteArray())); return i.readInt() + i.readUTF() + i.readDouble() + i.readBoolean() + i.readChar() + i.readShort() + i.readUnsignedByte() + i.readLong() + i.readFloat() + " " + bo.size() + Arrays.hashCode(bo.toByteArray()); });
        is("data eof", () -> new DataInputStream(in("ab")).readInt());
        is("print stream", () -> { ByteArrayOutputStream bo = new ByteArrayOutputStream(); PrintStream p = new PrintStream(bo, true, "UTF-8"); p.print('a'); p.print(1); p.print(2.5f); p.println((Object) null); p.printf("%03d|", 7); p.append("app").write(65); p.print(new char[] {'z'}); p.println(); p.flush(); return bo.toString("UTF-8").replace("\n", "/"); });
        is("writers", () -> { StringWriter s = new StringWriter(); PrintWriter p = new PrintWriter(new BufferedWriter(s)); p.println(1.0); p.print(true); p.write("raw"); p.format("%s", "f"); p.flush(); CharArrayWriter c = new CharArrayWriter(); c.write("chars"); return s.toString().replace("\n", "/") + c + p.checkError(); });
        is("redirect", () -> { PrintStream old = System.out; ByteArrayOutputStream bo = new ByteArrayOutputStream(); System.setOut(new PrintStream(bo)); System.out.print("captured"); System.out.flush(); System.setOut(old); return bo; });
        is("redirect in", () -> { InputStream old = System.in; System.setIn(in("typed 5")); Scanner s = new Scanner(System.in); String r = s.next() + s.nextInt(); System.setIn(old); return r; });
        is("sequence", () -> new String(new SequenceInputStream(in("ab"), in("cd")).readAllBytes()) + new String(new BufferedInputStream(in("buffered")).readNBytes(4)) + in("xyz").skip(2) + in("tr").transferTo(OutputStream.nullOutputStream()));
        is("piped", () -> { PipedOutputStream o = new PipedOutputStream(); PipedInputStream i = new PipedInputStream(o); o.write("pipe".getBytes()); o.close(); return new String(i.readAllBytes()); });
        is("files", () -> { File f = new File("t.txt"); try (PrintWriter w = new PrintWriter(new FileWriter(f))) { w.println("one"); w.println("two"); } StringBuilder b = new StringBuilder(); try (BufferedReader r = new BufferedReader(new FileReader(f))) { for (String l; (l = r.readLine()) != null;) b.append(l).append(','); } try (FileOutputStream o = new FileOutputStream(f, true)) { o.write('3'); } b.append(f.length()).append(f.exists()).append(f.isFile()).append(f.canRead()).append(f.delete()).append(f.exists()); return b; });
        is("missing", () -> new FileReader("missing.txt"));
        is("folder", () -> { File d = new File("made.d"); boolean made = d.mkdir(); new File(d, "b.txt").createNewFile(); new File(d, "a.txt").createNewFile(); String[] l = d.list(); Arrays.sort(l); String s = made + Arrays.toString(l) + d.isDirectory(); for (String n : l) new File(d, n).delete(); return s + d.list().length + d.delete() + (d.list() == null); });
        is("random access", () -> { try (RandomAccessFile r = new RandomAccessFile("ra.bin", "rw")) { r.writeInt(42); r.writeUTF("x"); r.seek(0); int v = r.readInt(); r.seek(2); r.write(9); r.seek(0); return v + " " + r.readInt() + " " + r.length() + r.getFilePointer(); } finally { new File("ra.bin").delete(); } });
        is("nio files", () -> { Path p = Path.of("nio.txt"); Files.writeString(p, "hello\nworld\n"); List<String> l = Files.readAllLines(p); long s = Files.size(p); String t = Files.readString(p); Files.write(p, List.of("a", "b")); Files.write(p, "c".getBytes(), StandardOpenOption.APPEND); try (var st = Files.lines(p)) { t += st.count(); } try (BufferedReader r = Files.newBufferedReader(p)) { t += r.readLine(); } try (BufferedWriter w = Files.newBufferedWriter(Path.of("nio2.txt"))) { w.write("w"); } boolean e = Files.exists(p); Files.delete(p); Files.deleteIfExists(Path.of("nio2.txt")); return l + " " + s + t.replace("\n", "/") + e + Files.exists(p); });
        is("nio missing", () -> Files.readAllLines(Path.of("none.txt")));
        is("paths", () -> { Path p = Paths.get("/a/b/../c/./d.txt"); return p.normalize() + " " + p.getFileName() + p.getParent() + p.getNameCount() + p.isAbsolute() + Path.of("x").resolve("y") + Path.of("/a/b").relativize(Path.of("/a/c")) + p.startsWith("/a") + new File("dir/f.txt").getParent() + new File("dir", "f").getPath() + new File("/x/../y").getPath(); });
        is("buffers", () -> { ByteBuffer b = ByteBuffer.allocate(32); b.putInt(1).putLong(2).putDouble(1.5).put((byte) 7).putChar('q').putShort((short) 3); b.flip(); int i = b.getInt(); b.order(ByteOrder.LITTLE_ENDIAN); long l = b.getLong(); return i + " " + l + b + b.order() + b.slice().remaining() + b.duplicate().position() + b.hasArray() + ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).getInt() + ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).order(ByteOrder.LITTLE_ENDIAN).getInt() + CharBuffer.wrap("chars").subSequence(1, 3) + IntBuffer.wrap(new int[] {4, 5}).get(1) + b.compact().position() + ByteBuffer.allocateDirect(8).putInt(0, 99).getInt(0) + ByteBuffer.wrap(new byte[8]).asLongBuffer().put(0, 5).get(0); });
        is("buffer bad", () -> ByteBuffer.allocate(2).getInt());
        is("charsets", () -> Charset.defaultCharset() + " " + new String("ü€".getBytes("UTF-16BE"), "UTF-16BE") + StandardCharsets.UTF_8.encode("é").remaining() + StandardCharsets.ISO_8859_1.decode(ByteBuffer.wrap(new byte[] {-23})) + Charset.isSupported("windows-1252") + Charset.forName("latin1").name() + Arrays.toString("\ud800".getBytes("UTF-8")) + new String(new byte[] {(byte) 0xe2, (byte) 0x82}, "UTF-8").length() + new String("Ω".getBytes("ISO-8859-7"), "ISO-8859-7") + Arrays.toString("€".getBytes("windows-1252")));
        is("malformed", () -> StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(new byte[] {-1})));
        is("crc", () -> { CRC32 c = new CRC32(); c.update("hello".getBytes()); Adler32 a = new Adler32(); a.update("hello".getBytes()); CRC32C d = new CRC32C(); d.update("hello".getBytes()); return c.getValue() + " " + a.getValue() + " " + d.getValue(); });
        is("deflate", () -> { byte[] data = "abcabcabcabcabcabcabc".repeat(20).getBytes(); Deflater d = new Deflater(); d.setInput(data); d.finish(); byte[] buf = new byte[1000]; int n = d.deflate(buf); Inflater i = new Inflater(); i.setInput(buf, 0, n); byte[] back = new byte[1000]; int m = i.inflate(back); return (n < data.length) + " " + m + new String(back, 0, 9) + i.finished() + Arrays.equals(data, Arrays.copyOf(back, m)); });
        is("gzip", () -> { ByteArrayOutputStream bo = new ByteArrayOutputStream(); try (GZIPOutputStream g = new GZIPOutputStream(bo)) { g.write("zipped text".repeat(10).getBytes()); } return new String(new GZIPInputStream(new ByteArrayInputStream(bo.toByteArray())).readAllBytes()).length(); });
        is("zip", () -> { ByteArrayOutputStream bo = new ByteArrayOutputStream(); try (ZipOutputStream z = new ZipOutputStream(bo)) { z.putNextEntry(new ZipEntry("a.txt")); z.write("content".getBytes()); z.closeEntry(); } ZipInputStream z = new ZipInputStream(new ByteArrayInputStream(bo.toByteArray())); ZipEntry e = z.getNextEntry(); return e.getName() + new String(z.readAllBytes()); });
        is("base64", () -> Base64.getEncoder().encodeToString("any carnal pleas".getBytes()) + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[] {-1, -2}) + new String(Base64.getDecoder().decode("aGVsbG8=")) + Base64.getMimeEncoder().encodeToString(new byte[60]).length());
        is("base64 bad", () -> Base64.getDecoder().decode("a$b"));
        is("digest", () -> { StringBuilder b = new StringBuilder(); for (String a : new String[] {"MD5", "SHA-1", "SHA-256"}) { byte[] d = java.security.MessageDigest.getInstance(a).digest("abc".getBytes()); b.append(String.format("%02x%02x ", d[0], d[d.length - 1])); } return b; });
        is("properties", () -> { Properties p = new Properties(); p.load(new StringReader("a = 1\nb:2\n# c\nlong = x \\\n  y\nuni=\\u00e9")); StringWriter w = new StringWriter(); p.store(w, null); return new TreeMap<>(p) + " " + p.getProperty("zz", "dflt") + w.toString().lines().count(); });
        is("uri", () -> { java.net.URI u = new java.net.URI("http://user@host:80/p/a?q=1#f"); return u.getHost() + u.getPort() + u.getPath() + u.getQuery() + u.getFragment() + java.net.URLEncoder.encode("a b&ü", "UTF-8") + java.net.URLDecoder.decode("a+b%26", "UTF-8") + u.resolve("../x"); });
        is("uri bad", () -> new java.net.URI("http://[bad"));
        is("time", () -> java.time.LocalDate.of(2024, 2, 29).plusYears(1) + " " + java.time.LocalDateTime.of(2020, 1, 1, 10, 30).format(java.time.format.DateTimeFormatter.ofPattern("dd/MM/yyyy HH:mm")) + java.time.Duration.between(java.time.LocalTime.of(1, 0), java.time.LocalTime.of(3, 30)) + java.time.Period.between(java.time.LocalDate.of(2000, 1, 15), java.time.LocalDate.of(2024, 3, 1)) + java.time.DayOfWeek.MONDAY.plus(3) + java.time.Year.isLeap(2000) + java.time.LocalDate.parse("2021-12-31").getDayOfYear() + java.time.temporal.ChronoUnit.DAYS.between(java.time.LocalDate.EPOCH, java.time.LocalDate.of(2000, 1, 1)) + java.time.Instant.ofEpochSecond(0) + java.time.ZonedDateTime.of(2020, 6, 1, 0, 0, 0, 0, java.time.ZoneId.of("UTC")) + java.time.LocalDate.of(2024, 5, 5).format(java.time.format.DateTimeFormatter.ISO_DATE) + java.time.OffsetDateTime.parse("2020-01-01T00:00:00+02:00").toEpochSecond() + java.time.format.DateTimeFormatter.ofPattern("EEEE d MMMM", Locale.US).format(java.time.LocalDate.of(2024, 7, 4)));
        is("time bad", () -> java.time.LocalDate.of(2023, 2, 29));
        is("time parse bad", () -> java.time.LocalDate.parse("2023-13-01"));
        is("zone", () -> java.time.ZonedDateTime.of(2020, 7, 1, 12, 0, 0, 0, java.time.ZoneId.of("Europe/Paris")).toInstant());
        is("calendar", () -> { GregorianCalendar c = new GregorianCalendar(2021, Calendar.JANUARY, 31); c.add(Calendar.MONTH, 1); return c.get(Calendar.DAY_OF_MONTH) + " " + c.get(Calendar.DAY_OF_WEEK) + c.getActualMaximum(Calendar.DAY_OF_MONTH) + c.isLeapYear(2020); });
        is("bundle", () -> ResourceBundle.getBundle("nope"));
        is("stdin", () -> System.in.read() + " " + System.in.available());
        is("console", () -> System.console() == null);
        is("logger", () -> { java.util.logging.Logger l = java.util.logging.Logger.getLogger("x"); l.setLevel(java.util.logging.Level.OFF); l.info("hidden"); return l.getName() + l.isLoggable(java.util.logging.Level.INFO); });
        is("secure", () -> new java.security.SecureRandom().nextInt(1));
        is("prefs", () -> new Locale("fr", "CA").getDisplayLanguage(Locale.US) + Currency.getInstance("USD").getSymbol(Locale.US) + TimeZone.getTimeZone("GMT+2").getRawOffset());
        is("xml", () -> { var d = javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in("<a x='1'><b>t</b></a>")); return d.getDocumentElement().getAttribute("x") + d.getElementsByTagName("b").item(0).getTextContent(); });
        is("observer", () -> { java.beans.PropertyChangeSupport p = null; return "skipped"; });
        is("iterator timer", () -> { long s = 0; for (var e : new TreeMap<>(System.getProperties()).entrySet()) if (e.getKey().toString().startsWith("file.")) s++; return s > 0; });
    }
}
