import { createHash, createHmac } from 'node:crypto'

function permute(id, key, label, version, backwards) {
  const roundKey = createHmac('sha256', key).update('uidext uuid_encrypt v1\0' + label).digest()
  const number = BigInt('0x' + id.replaceAll('-', ''))
  const bits = number >> 80n << 74n | (number >> 64n & 0xfffn) << 62n | BigInt.asUintN(62, number)
  let halves = [bits >> 61n, BigInt.asUintN(61, bits)]
  if (backwards) halves.reverse()
  for (let r = 0; r < 10; r++) {
    const input = Buffer.concat([roundKey, Buffer.alloc(9)])
    input[32] = backwards ? 9 - r : r
    input.writeBigUInt64BE(halves[1], 33)
    const hash = createHash('sha256').update(input).digest()
    halves = [halves[1], halves[0] ^ hash.readBigUInt64BE() >> 3n]
  }
  if (backwards) halves.reverse()
  const result = halves[0] << 61n | halves[1]
  const packed = result >> 74n << 80n | BigInt(version) << 76n | (result >> 62n & 0xfffn) << 64n | 1n << 63n | BigInt.asUintN(62, result)
  return packed.toString(16).padStart(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const uuidEncrypt = (id, key, label = '') => permute(id, key, label, 4, false)
export const uuidDecrypt = (id, key, label = '', version = 7) => permute(id, key, label, version, true)
