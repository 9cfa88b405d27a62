import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'

/** The key pair by which push services know this server (VAPID, RFC 8292). Both are base64url; the public one is 65 bytes. */
export type PushKeys = { publicKey: string; privateKey: string }

/** The keys of one browser: its public key, and a secret that only it and this server know. */
export type BrowserKeys = { p256dh: string; auth: string }

const curve = 'prime256v1'
const recordBytes = 4_096
const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

export function makePushKeys(): PushKeys {
  const pair = createECDH(curve)
  const publicKey = pair.generateKeys('base64url')
  return { publicKey, privateKey: pair.getPrivateKey().toString('base64url') }
}

/** Throws unless the browser can decrypt with these keys. */
export function checkBrowserKeys({ p256dh, auth }: BrowserKeys): void {
  if (bytes(auth).length !== 16) throw new RangeError('auth must have 16 bytes')
  const pair = createECDH(curve)
  pair.generateKeys()
  pair.computeSecret(bytes(p256dh))
}

/** One message of the content encoding aes128gcm (RFC 8188), encrypted for one browser as RFC 8291 says. `fixed` is for its test vector. */
export function encryptPush(text: string, to: BrowserKeys, fixed?: { privateKey: string; salt: string }): Buffer<ArrayBuffer> {
  const pair = createECDH(curve)
  if (fixed) pair.setPrivateKey(bytes(fixed.privateKey))
  else pair.generateKeys()
  const own = pair.getPublicKey()
  const theirs = bytes(to.p256dh)
  const salt = fixed ? bytes(fixed.salt) : randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own])
  const secret = derive(pair.computeSecret(theirs), bytes(to.auth), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The byte 2 ends the last record.
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()])
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(recordBytes)
  sizes.writeUInt8(own.length, 4)
  return Buffer.concat([salt, sizes, own, sealed])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Proves to the push service at `endpoint` that this server sent the message. `contact` is whom its operator writes to in trouble. */
export function signPush(endpoint: URL, { publicKey, privateKey }: PushKeys, contact: string, expiresAt: number): string {
  const point = bytes(publicKey)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey } })
  const part = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url')
  const claims = { aud: endpoint.origin, exp: Math.floor(expiresAt / 1_000), sub: contact }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}
