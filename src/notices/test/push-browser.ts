import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { BrowserKeys } from '../web-push.ts'

/** The keys that a browser makes for one subscription; the private one never leaves it. */
export type PushBrowser = { keys: BrowserKeys; privateKey: Buffer }

export function makeBrowser(): PushBrowser {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url')
  return { keys: { p256dh, auth: randomBytes(16).toString('base64url') }, privateKey: pair.getPrivateKey() }
}

/** The other side of `encryptPush`, from the text of RFC 8188 and RFC 8291 alone. */
export function decryptPush(message: Buffer, { keys, privateKey }: PushBrowser): string {
  const salt = message.subarray(0, 16)
  const keyLength = message.readUInt8(20)
  const sender = message.subarray(21, 21 + keyLength)
  const sealed = message.subarray(21 + keyLength)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  const derive = (secret: Uint8Array, from: Uint8Array, info: Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(keys.p256dh, 'base64url'), sender])
  const secret = derive(pair.computeSecret(sender), Buffer.from(keys.auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  if (plain.at(-1) !== 2) throw new Error('the last record does not end with 2')
  return plain.subarray(0, -1).toString('utf8')
}
