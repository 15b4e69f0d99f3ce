import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import java.io.*;
import java.math.*;
import java.time.*;

/** Objects written and read back. */
public class Serial {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (DataOutputStream d = new DataOutputStream(bo)) {
            d.writeInt(5);
            d.writeUTF("hé");
            d.writeDouble(2.5);
            d.writeBoolean(true);
            d.writeLong(-1);
            d.writeChars("ab");
            d.writeByte(300);
            d.writeShort(-2);
            d.writeBytes("zz");
        }
        DataInputStream di = new DataInputStream(new ByteArrayInputStream(bo.toByteArray()));
        o(di.readInt() + di.readUTF() + di.readDouble() + di.readBoolean() + di.readLong() + di.readChar() + di.readChar() + di.readUnsignedByte() + di.readShort() + di.available());
        try { di.readFully(new byte[50]); } catch (EOFException e) { o(e); }
        ByteArrayOutputStream so = new ByteArrayOutputStream();
        ObjectOutputStream oo = new ObjectOutputStream(so);
        Per p = new Per("Ann", 30, new Addr("X st"));
        p.friends.add(p);
        oo.writeObject(p);
        oo.writeObject(List.of(1, 2));
        oo.writeObject(new int[]{1, 2});
        oo.writeObject(Col.RED);
        oo.writeInt(9);
        oo.writeObject(new HashMap<>(Map.of("k", 1)));
        oo.writeObject(new Rec(1, "r"));
        oo.writeObject(LocalDate.of(2020, 1, 2));
        oo.writeObject(new BigInteger("123"));
        oo.writeObject((Supplier<String> & Serializable) () -> "lam");
        oo.close();
        ObjectInputStream oi = new ObjectInputStream(new ByteArrayInputStream(so.toByteArray()));
        Per q = (Per) oi.readObject();
        o(q.name + q.age + q.secret + q.a.s + (q.friends.get(0) == q) + q.restored);
        o(oi.readObject() + Arrays.toString((int[]) oi.readObject()) + (oi.readObject() == Col.RED) + oi.readInt() + oi.readObject() + oi.readObject() + oi.readObject() + oi.readObject());
        o(((Supplier<?>) oi.readObject()).get());
        try { new ObjectOutputStream(so).writeObject(new Object()); } catch (NotSerializableException e) {
            o(e);
        }
        try { new ObjectInputStream(new ByteArrayInputStream(new byte[]{1, 2, 3, 4})); } catch (StreamCorruptedException e) {
            o(e.getMessage());
        }
        ByteArrayOutputStream eo = new ByteArrayOutputStream();
        ObjectOutputStream eos = new ObjectOutputStream(eo);
        eos.writeObject(new Ext(7));
        eos.writeObject(new Rep());
        eos.close();
        ObjectInputStream ei = new ObjectInputStream(new ByteArrayInputStream(eo.toByteArray()));
        o(((Ext) ei.readObject()).v + " " + ei.readObject());
        o(ObjectStreamClass.lookup(Per.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(Addr.class).getSerialVersionUID());
    }

    static class Base0 { int base = 4; }
    static class Per extends Base0 implements Serializable {
        private static final long serialVersionUID = 3;
        String name;
        int age;
        transient String secret = "s";
        Addr a;
        List<Per> friends = new ArrayList<>();
        transient boolean restored;
        Per(String n, int g, Addr a) {
            name = n;
            age = g;
            this.a = a;
        }
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            restored = true;
        }
        private void writeObject(ObjectOutputStream out) throws IOException { out.defaultWriteObject(); }
    }
    static class Addr implements Serializable {
        String s;
        Addr(String s) { this.s = s; }
    }
    enum Col { RED, BLUE }
    record Rec(int a, String b) implements Serializable {}
    public static class Ext implements Externalizable {
        int v;
        public Ext() {}
        Ext(int v) { this.v = v; }
        public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(v * 2); }
        public void readExternal(ObjectInput i) throws IOException { v = i.readInt(); }
    }
    static class Rep implements Serializable { Object writeReplace() { return "replaced"; } }
}
