import { readFileSync } from 'node:fs'
import { uuidDecrypt, uuidEncrypt } from './uuid_encrypt.js'

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const [id, hex, label, version, encrypted] = line.split('\t')
  const key = Buffer.from(hex, 'hex')
  console.log(uuidDecrypt(encrypted, key, label, Number(version)) + '\t' + uuidEncrypt(id, key, label))
}
