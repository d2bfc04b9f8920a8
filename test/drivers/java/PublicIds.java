import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

final class PublicIds {
    private static byte[] bytes(String hex) {
        byte[] number = new BigInteger("01" + hex, 16).toByteArray();
        return Arrays.copyOfRange(number, 1, number.length);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] c = line.split("\t");
            byte[] key = bytes(c[1]);
            System.out.println(UuidEncrypt.permute(UUID.fromString(c[4]), key, c[2], Integer.parseInt(c[3]), true)
                    + "\t" + UuidEncrypt.permute(UUID.fromString(c[0]), key, c[2], 4, false));
        }
    }
}
