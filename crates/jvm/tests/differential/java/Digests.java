import java.util.*;
import java.math.*;
import java.security.*;
import java.util.zip.*;

/** Identifiers, checksums and ciphers. */
public class Digests {
    static void o(Object x) { System.out.println(x); }

    public static void main(String[] args) throws Throwable {
        o(UUID.nameUUIDFromBytes("hello".getBytes()) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version() + new UUID(1, 2) + new UUID(3, 4).hashCode());
        try { UUID.fromString("zz"); } catch (IllegalArgumentException e) { o(e.getMessage()); }
        Base64.Encoder e = Base64.getEncoder();
        o(e.encodeToString("hello?>".getBytes()) + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[]{
            -1, -2, -3, -4
        }) + new String(Base64.getDecoder().decode("aGk=")) + Base64.getMimeEncoder(8, "|".getBytes()).encodeToString(new byte[20]));
        try { Base64.getDecoder().decode("a$b"); } catch (IllegalArgumentException x) { o(x.getMessage()); }
        for (String a : new String[]{"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256", "MD2", "SHA-224"}) {
            byte[] h = MessageDigest.getInstance(a).digest("abc".getBytes());
            o(a + " " + new BigInteger(1, h).toString(16));
        }
        try { MessageDigest.getInstance("NOPE"); } catch (NoSuchAlgorithmException x) { o(x.getMessage()); }
        CRC32 c = new CRC32();
        c.update("123456789".getBytes());
        o(Long.toHexString(c.getValue()));
        Adler32 ad = new Adler32();
        ad.update("abc".getBytes());
        o(ad.getValue());
        CRC32C cc = new CRC32C();
        cc.update("123456789".getBytes());
        o(cc.getValue());
        o(HexFormat.of().formatHex(new byte[]{1, -1}) + Arrays.toString(HexFormat.of().parseHex("0aff")));
        javax.crypto.Mac m = javax.crypto.Mac.getInstance("HmacSHA256");
        m.init(new javax.crypto.spec.SecretKeySpec("k".getBytes(), "HmacSHA256"));
        o(HexFormat.of().formatHex(m.doFinal("d".getBytes())));
        javax.crypto.Cipher ci = javax.crypto.Cipher.getInstance("AES/CBC/PKCS5Padding");
        ci.init(1, new javax.crypto.spec.SecretKeySpec(new byte[16], "AES"), new javax.crypto.spec.IvParameterSpec(new byte[16]));
        o(HexFormat.of().formatHex(ci.doFinal("secret".getBytes())));
    }


}
