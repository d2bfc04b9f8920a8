import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import org.junit.Test;

/** The Java of doc/public-ids.md against the server. */
public class PublicIdsTest {
    private static byte[] bytes(String hex) {
        byte[] number = new BigInteger("01" + hex, 16).toByteArray();
        return Arrays.copyOfRange(number, 1, number.length);
    }

    @Test
    public void againstTheServer() throws Exception {
        Process psql = new ProcessBuilder("psql", "-qXAt", "-F", "\t", "-f", "../public_ids.sql")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines;
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(psql.getInputStream(), StandardCharsets.UTF_8))) {
            lines = reader.lines().collect(Collectors.toList());
        }
        assertEquals(5000, lines.size());
        for (String line : lines) {
            String[] sample = line.split("\t");
            UUID id = UUID.fromString(sample[0]);
            UUID encrypted = UUID.fromString(sample[4]);
            byte[] key = bytes(sample[1]);
            assertEquals(encrypted, UuidEncrypt.permute(id, key, sample[2], 4, false));
            assertEquals(id, UuidEncrypt.permute(encrypted, key, sample[2], Integer.parseInt(sample[3]), true));
        }
    }
}
