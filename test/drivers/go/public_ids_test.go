// The Go of doc/public-ids.md against the server.
package publicid

import (
	"encoding/hex"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

func uuid(text string) (id [16]byte) {
	hex.Decode(id[:], []byte(strings.ReplaceAll(text, "-", "")))
	return id
}

func TestAgainstTheServer(t *testing.T) {
	made, err := exec.Command("psql", "-qXAt", "-F", "\t", "-f", "../public_ids.sql").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(made)), "\n")
	if len(lines) != 5000 {
		t.Fatal(len(lines), "lines")
	}
	for _, line := range lines {
		sample := strings.Split(line, "\t")
		key, _ := hex.DecodeString(sample[1])
		version, _ := strconv.ParseUint(sample[3], 10, 4)
		if Permute(uuid(sample[0]), key, sample[2], 4, false) != uuid(sample[4]) {
			t.Fatal("encrypt:", line)
		}
		if Permute(uuid(sample[4]), key, sample[2], version, true) != uuid(sample[0]) {
			t.Fatal("decrypt:", line)
		}
	}
}
