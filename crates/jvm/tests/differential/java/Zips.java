import java.io.*;
import java.util.zip.*;

/** Compressed streams, good and bad. */
public class Zips {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        byte[] data = "abc".repeat(100).getBytes();
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(bo)) { g.write(data); }
        o(bo.size() > 10);
        o(new String(new GZIPInputStream(new ByteArrayInputStream(bo.toByteArray())).readAllBytes()).length());
        ByteArrayOutputStream zo = new ByteArrayOutputStream();
        try (ZipOutputStream z = new ZipOutputStream(zo)) {
            z.setComment("c");
            z.putNextEntry(new ZipEntry("a.txt"));
            z.write("AAA".getBytes());
            z.closeEntry();
            ZipEntry st = new ZipEntry("dir/b.txt");
            st.setMethod(ZipEntry.STORED);
            st.setSize(2);
            CRC32 c = new CRC32();
            c.update("BB".getBytes());
            st.setCrc(c.getValue());
            z.putNextEntry(st);
            z.write("BB".getBytes());
            z.closeEntry();
            try { z.putNextEntry(new ZipEntry("a.txt")); } catch (ZipException e) { o(e.getMessage()); }
        }
        ZipInputStream zi = new ZipInputStream(new ByteArrayInputStream(zo.toByteArray()));
        for (ZipEntry e; (e = zi.getNextEntry()) != null; ) o(e.getName() + " " + new String(zi.readAllBytes()) + e.isDirectory());
        Deflater df = new Deflater(9, true);
        df.setInput(data);
        df.finish();
        byte[] buf = new byte[500];
        int n = df.deflate(buf);
        Inflater inf = new Inflater(true);
        inf.setInput(buf, 0, n);
        byte[] out = new byte[1000];
        o(inf.inflate(out) + " " + inf.finished() + inf.getTotalOut());
        try {
            new Inflater().inflate(out);
            Inflater q = new Inflater();
            q.setInput(new byte[]{1, 2, 3, 4, 5});
            q.inflate(out);
        } catch (DataFormatException e) { o(e.getMessage()); }
        try { new GZIPInputStream(new ByteArrayInputStream(new byte[]{1, 2, 3})); } catch (IOException e) {
            o(e);
        }
        try {
            new GZIPInputStream(new ByteArrayInputStream(new byte[]{
                31, (byte) 139, 8, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5
            })).readAllBytes();
        } catch (IOException e) { o(e); }
        CheckedInputStream ci = new CheckedInputStream(new ByteArrayInputStream(data), new Adler32());
        ci.readAllBytes();
        o(ci.getChecksum().getValue());
        DeflaterOutputStream dos = new DeflaterOutputStream(bo);
        dos.write(1);
        dos.finish();
        InflaterInputStream iis = new InflaterInputStream(new ByteArrayInputStream(new byte[]{
            0x78, (byte) 0x9c, 0x4b, 0x4c, 0x4a, 0x06, 0, 2, 0x4d, 1, 0x27
        }));
        o(new String(iis.readAllBytes()));
    }


}
