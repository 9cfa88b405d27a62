import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { decryptPush, makeBrowser } from './test/push-browser.ts'
import { checkBrowserKeys, encryptPush, makePushKeys, signPush } from './web-push.ts'

test('encryptPush: gives the message of the test vector of RFC 8291', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const fixed = { privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', salt: 'DGv6ra1nlYgDCS1FRnbzlw' }
  assert.equal(
    encryptPush('When I grow up, I want to be a watermelon', keys, fixed).toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('encryptPush: the browser reads what was sent, and two messages of the same text differ', () => {
  const browser = makeBrowser()
  const [one, other] = [encryptPush('您好 👋', browser.keys), encryptPush('您好 👋', browser.keys)]
  assert.notDeepEqual(one, other)
  assert.equal(decryptPush(one, browser), '您好 👋')
  assert.throws(() => decryptPush(one, makeBrowser()))
})

test('checkBrowserKeys: refuses keys that no browser has', () => {
  const { keys } = makeBrowser()
  checkBrowserKeys(keys)
  for (const broken of [
    { ...keys, auth: 'AAAA' },
    { ...keys, p256dh: 'AAAA' },
    { ...keys, p256dh: keys.p256dh.replace(/...$/, 'AAA') },
  ])
    assert.throws(() => checkBrowserKeys(broken), JSON.stringify(broken))
})

test('signPush: the push service can check who sent it, and for whom', () => {
  const keys = makePushKeys()
  const header = signPush(new URL('https://push.example.org/send/abc?x=1'), keys, 'https://parley.example.org', 1_700_000_000_500)
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
  assert.equal(key, keys.publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  assert.deepEqual(JSON.parse(Buffer.from(claims, 'base64url').toString()), {
    aud: 'https://push.example.org',
    exp: 1_700_000_000,
    sub: 'https://parley.example.org',
  })
  const point = Buffer.from(keys.publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const check = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), check, Buffer.from(signature, 'base64url')))
})
