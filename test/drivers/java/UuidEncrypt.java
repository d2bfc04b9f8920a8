import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class UuidEncrypt {
    /** Encrypts with version 4; decrypts, backwards, with the version that the id had. */
    static UUID permute(UUID id, byte[] key, String label, int version, boolean backwards) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] roundKey = mac.doFinal(("uidext uuid_encrypt v1\0" + label).getBytes(StandardCharsets.UTF_8));
        long hi = id.getMostSignificantBits(), lo = id.getLeastSignificantBits(), mask = (1L << 61) - 1;
        long a = (hi >>> 16 << 12 | hi & 0xfff) << 1 | lo >>> 61 & 1, b = lo & mask;
        long left = backwards ? b : a, right = backwards ? a : b;
        for (int r = 0; r < 10; r++) {
            byte[] input = ByteBuffer.allocate(41).put(roundKey).put((byte) (backwards ? 9 - r : r)).putLong(right).array();
            long hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(input)).getLong() >>> 3;
            long next = left ^ hash;
            left = right;
            right = next;
        }
        a = backwards ? right : left;
        b = backwards ? left : right;
        return new UUID(a >>> 13 << 16 | (long) version << 12 | a >>> 1 & 0xfff, 1L << 63 | (a & 1) << 61 | b);
    }
}
