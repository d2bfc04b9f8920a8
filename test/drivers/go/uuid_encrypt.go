package publicid

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// Permute encrypts with version 4, and decrypts, backwards, with the version that the id had.
func Permute(id [16]byte, key []byte, label string, version uint64, backwards bool) (result [16]byte) {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("uidext uuid_encrypt v1\x00" + label))
	input := append(mac.Sum(nil), make([]byte, 9)...)
	hi, lo := binary.BigEndian.Uint64(id[:8]), binary.BigEndian.Uint64(id[8:])
	left, right := (hi>>16<<12|hi&0xfff)<<1|lo>>61&1, lo&(1<<61-1)
	if backwards {
		left, right = right, left
	}
	for r := byte(0); r < 10; r++ {
		input[32] = r
		if backwards {
			input[32] = 9 - r
		}
		binary.BigEndian.PutUint64(input[33:], right)
		hash := sha256.Sum256(input)
		left, right = right, left^binary.BigEndian.Uint64(hash[:8])>>3
	}
	if backwards {
		left, right = right, left
	}
	binary.BigEndian.PutUint64(result[:8], left>>13<<16|version<<12|left>>1&0xfff)
	binary.BigEndian.PutUint64(result[8:], 1<<63|left&1<<61|right)
	return result
}
