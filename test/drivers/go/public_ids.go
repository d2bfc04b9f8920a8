package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func uuid(text string) (id [16]byte) {
	hex.Decode(id[:], []byte(strings.ReplaceAll(text, "-", "")))
	return id
}

func text(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		key, _ := hex.DecodeString(c[1])
		version, _ := strconv.ParseUint(c[3], 10, 4)
		fmt.Printf("%s\t%s\n", text(Permute(uuid(c[4]), key, c[2], version, true)), text(Permute(uuid(c[0]), key, c[2], 4, false)))
	}
}
