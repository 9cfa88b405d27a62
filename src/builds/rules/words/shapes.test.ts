import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findShapes, withoutSecrets, withoutShapes } from './shapes.ts'

/** Each secret with the characters that must never be seen again. */
const secrets: [name: string, text: string, never: string][] = [
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
  ['an address with a password', 'postgres://mia:hunter@db.example.com/x', 'hunter'],
  ['a key', 'sk-proj-Ab12Cd34Ef56Gh78Ij90', 'Ab12'],
  ['a key', 'ghp_Abcdefghijklmnopqrstuvwx', 'Abcdef'],
  ['a key', 'AKIAIOSFODNN7EXAMPLE', 'IOSFOD'],
  ['a sign-in header', 'Bearer abcdefghijkl', 'abcdef'],
  ['a sign-in header', 'Basic bWlhOmh1bnRlcg==', 'bWlh'],
  ['a named secret', 'password: hunter22!', 'hunter'],
  ['一个密钥', '密码是 hunter22!', 'hunter'],
  ['a secret after its name', 'password hunter2', 'hunter'],
  ['a secret after its name', 'password for the admin is Winter25', 'Winter'],
  ['一个密钥', '密码 hunter2', 'hunter'],
  ['a key', '0123456789abcdef0123456789abcdef', '0123456789abcdef'],
]

test('shapes: a secret is named and never repeated, whoever wrote it first', () => {
  for (const [name, text, never] of secrets) {
    for (const own of ['', `I use ${text} there`]) {
      const found = findShapes(`Use ${text} now`, own)
      assert.ok(
        found.some((one) => one.name === name),
        text,
      )
      assert.ok(!JSON.stringify(found).includes(never), text)
    }
    assert.ok(!withoutSecrets(`Use ${text} now`).includes(never), text)
    assert.ok(!(withoutShapes(`Use ${text} now`, `I use ${text}`) ?? '').includes(never), text)
  }
})

const machine: [name: string, text: string][] = [
  ['an id', '0198a7c2-4b3d-7e1f-a2b3-c4d5e6f70812'],
  ['an id', 'bld_01HZX3FAKE9QK7'],
  ['an id', 'req-7f3a9c2b1d'],
  ['an id', 'commit 4f3c2a1'],
  ['a setting of the machine', 'NODE_ENV'],
  ['a setting of the machine', 'process.env.STRIPE'],
  ['a setting of the machine', 'password=letmein'],
  ['a source file', 'src/components/Header.tsx'],
  ['a source file', 'lib/date.js'],
  ['a source file', 'app.py'],
  ['a source file', 'index.js:42'],
  ['an address of the machine', 'localhost:3000'],
  ['a path', '/srv/mia/list'],
  ['a path', '~/notes'],
  ['a stack trace', 'Traceback (most recent call last)'],
  ['the name of an error', 'TypeError'],
  ['the name of an error', 'SIGKILL'],
  ['the answer of a server', 'HTTP 200'],
  ['the answer of a server', 'returned 404'],
  ['the answer of a server', 'status code 503'],
  ['the end of a program', 'exited with code 1'],
  ['the end of a program', 'ended with status 1'],
  ['the end of a program', '以状态码 1'],
  ['the end of a program', '退出,代码是 2'],
  ['names of the protocol', 'status.changed'],
  ['a name in code', 'build_record'],
  ['an object', '{"type": 1}'],
  ['a command', 'npm install'],
  ['a command', 'npm ERR!'],
]

test('shapes: machine text is found, and replaced where the rest must stay', () => {
  for (const [name, text] of machine) {
    assert.ok(
      findShapes(`It is ${text} now`).some((one) => one.name === name),
      text,
    )
    const left = withoutShapes(`It is ${text} now`) ?? ''
    assert.match(left, /^It is •••.* now$/, text)
  }
})

test('shapes: what the person wrote themselves is theirs, in any case', () => {
  assert.deepEqual(findShapes('Reading /srv/mia/list now', 'Watch /SRV/mia/list'), [])
  assert.equal(withoutShapes('Reading /srv/mia/list now', 'Watch /SRV/mia/list'), 'Reading /srv/mia/list now')
  assert.equal(findShapes('Reading /srv/ada/list now', 'Watch /srv/mia/list').length, 1)
})

test('shapes: plain numbers, dates and words are none', () => {
  for (const text of [
    'It returned 200 books',
    'status 301',
    'On 1/2/2026',
    'Seats /12/14 are free',
    'He got 600',
    'Step 3 of 7',
    'Basic Income',
    'my password is fine',
    'The password must have 8 characters',
    'a secret base64 text',
    '密码至少 8 位',
    'Photo DSC_0042.jpg and MENU_FINAL.pdf',
    'example.com/garden/index.html',
    'iOS/Android',
    'budget.csv',
    'discount code 20',
    'Room 404',
  ])
    assert.deepEqual(findShapes(text), [], text)
})

test('shapes: an id is replaced from 8 characters on, and nothing but placeholders is nothing', () => {
  assert.equal(withoutShapes('Is abc-1234 right?', '', ['abc-1234']), 'Is ••• right?')
  assert.equal(withoutShapes('Is abc-123 right?', '', ['abc-123']), 'Is abc-123 right?')
  assert.equal(withoutShapes('abc-1234', '', ['abc-1234']), null)
  assert.equal(withoutShapes('!', '', []), null)
  assert.equal(withoutShapes('€', '', []), '€')
})
