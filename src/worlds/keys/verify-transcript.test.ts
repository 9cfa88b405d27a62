import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyTranscript } from '../../../scripts/verify-transcript.mjs'
import { exportTranscript, headLine } from './export-transcript.ts'
import { newKey, type Participant, signHead, signTalk } from './test/signed-talk.ts'

const script = fileURLToPath(new URL('../../../scripts/verify-transcript.mjs', import.meta.url))
const ada: Participant = { code: '7QX2MN', key: newKey() }
const mira: Participant = { code: '8K4TQZ', key: newKey() }
const words = ['Hello', 'Three books about cities?', '好的，三本书。', 'a "quoted" line\nand a second', '🙂', ' ', 'the end [[like]]']

/** Repeatable, so that a failure can be looked at again. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function goodTranscript(number: number): Promise<{ text: string; heads: string[] }> {
  const intent = `crq_${number}`
  const length = 1 + (number % 7)
  const turns = await signTalk(
    intent,
    [ada, mira],
    Array.from({ length }, (_, index) => `${words[(index + number) % words.length]} ${index}`),
  )
  const last = turns.at(-1)?.hash ?? ''
  const peerHead = await signHead(intent, mira, length, last)
  const text = await exportTranscript({ intent, you: ada.code, peer: mira.code, turns, peerHead }, ada.key)
  return { text, heads: [headLine(intent, await signHead(intent, ada, length, last))] }
}

type Change = (lines: string[], pick: (below: number) => number) => string[]

/** A character is replaced, added or removed somewhere in a line. */
const edit: Change = (lines, pick) => {
  const at = pick(lines.length)
  const line = lines[at] ?? ''
  const place = pick(line.length)
  const char = 'abcXYZ019 -_"{}.é'[pick(17)] ?? 'a'
  const changed = [
    line.slice(0, place) + char + line.slice(place + 1),
    line.slice(0, place) + char + line.slice(place),
    line.slice(0, place) + line.slice(place + 1),
  ][pick(3)]
  return lines.with(at, changed ?? '')
}
const drop: Change = (lines, pick) => lines.toSpliced(pick(lines.length), 1)
const repeat: Change = (lines, pick) => {
  const at = pick(lines.length)
  return lines.toSpliced(at, 0, lines[at] ?? '')
}
const exchange: Change = (lines, pick) => {
  const [one, other] = [pick(lines.length), pick(lines.length)]
  return lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '')
}
/** The value of a field is put in place of the same field of another line. */
const graft: Change = (lines, pick) => {
  const [from, to] = [JSON.parse(lines[pick(lines.length)] ?? ''), pick(lines.length)]
  const target = JSON.parse(lines[to] ?? '')
  const name = Object.keys(target)[pick(Object.keys(target).length)] ?? ''
  return lines.with(to, JSON.stringify({ ...target, [name]: from[name] ?? target[name] }))
}
const cutTail: Change = (lines, pick) => lines.slice(0, 1 + pick(lines.length - 1))
/** The tail of the turns is taken out, with an end line that fits. */
const cutTurns: Change = (lines, pick) => {
  const values = lines.map((line) => JSON.parse(line))
  const turns = values.filter(({ type }) => type === 'turn')
  const left = pick(turns.length)
  const rest = values.filter(({ type, turn }) => type !== 'turn' || turn <= left)
  const head = turns[left - 1]?.hash ?? turns[0].previous
  return rest.map((value) => JSON.stringify(value.type === 'end' ? { ...value, turns: left, head } : value))
}
const changes: Record<string, Change> = { edit, drop, repeat, exchange, graft, cutTail, cutTurns }

test('verifier: finds every one of 10,000 random edits, drops, reorderings and cut tails, and no fault in good ones', async (t) => {
  const pick = randomNumbers(20_261_118)
  const good = await Promise.all(Array.from({ length: 28 }, (_, number) => goodTranscript(number)))
  for (const { text, heads } of good) assert.equal(verifyTranscript(text, { heads }).fault, null)
  const found: Record<string, number> = {}
  for (let run = 0; run < 10_000;) {
    const { text } = good[pick(good.length)] ?? assert.fail()
    const [name, change] = Object.entries(changes)[pick(7)] ?? assert.fail()
    const lines = text.trimEnd().split('\n')
    const changed = `${change(lines, pick).join('\n')}\n`
    if (changed === text) continue
    run += 1
    assert.notEqual(verifyTranscript(changed).fault, null, `${name} was not found:\n${changed}`)
    found[name] = (found[name] ?? 0) + 1
  }
  t.diagnostic(JSON.stringify(found))
  assert.ok(Object.values(found).every((times) => times > 400))
})

test('verifier: an exporter who cuts the tail and signs again is found by the head that the other side keeps', async () => {
  const turns = await signTalk('crq_1', [ada, mira], words)
  const peerHead = await signHead('crq_1', mira, 4, turns[3]?.hash ?? '')
  const cut = await exportTranscript({ intent: 'crq_1', you: ada.code, peer: mira.code, turns: turns.slice(0, 4), peerHead }, ada.key)
  assert.equal(verifyTranscript(cut).fault, null)
  // The last turn that Mira got from Ada is a head of Ada as well.
  const kept = headLine('crq_1', await signHead('crq_1', ada, 7, turns[6]?.hash ?? ''))
  assert.match(verifyTranscript(cut, { heads: [kept] }).fault ?? '', /lacks turn 7/)
})

test('verifier: a transcript made with other keys is found by a key that is known', async () => {
  const thief: Participant = { code: mira.code, key: newKey() }
  const turns = await signTalk('crq_1', [ada, thief], words)
  const text = await exportTranscript({ intent: 'crq_1', you: ada.code, peer: mira.code, turns, peerHead: null }, ada.key)
  assert.equal(verifyTranscript(text).fault, null)
  assert.match(verifyTranscript(text, { keys: { [mira.code]: mira.key.publicKey } }).fault ?? '', /turn 2 is signed with another key/)
})

test('verifier: turns of a peer without a key are counted, and the chain still covers them', async () => {
  const signed = await signTalk('crq_1', [ada, mira], words)
  const turns = signed.map((turn) => (turn.from === mira.code ? { ...turn, key: null, signature: null } : turn))
  const text = await exportTranscript({ intent: 'crq_1', you: ada.code, peer: mira.code, turns, peerHead: null }, ada.key)
  const seen = verifyTranscript(text)
  assert.deepEqual([seen.fault, seen.unsigned], [null, 3])
  assert.notEqual(verifyTranscript(text.replace('三本书', '四本书')).fault, null)
  assert.notEqual(verifyTranscript(text, { keys: { [mira.code]: mira.key.publicKey } }).fault, null)
})

test('verifier: runs as a script without anything of Parley, and its exit code says what it found', async (t) => {
  const imports = [...readFileSync(script, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  assert.ok(imports.length > 0 && imports.every((name) => name?.startsWith('node:')))
  const dir = mkdtempSync(join(tmpdir(), 'parley-verify-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const { text, heads } = await goodTranscript(5)
  writeFileSync(join(dir, 'good.jsonl'), text)
  writeFileSync(join(dir, 'bad.jsonl'), text.replace('books', 'bombs').replace('Hello', 'Hallo'))
  writeFileSync(join(dir, 'head.jsonl'), heads[0] ?? '')
  const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { cwd: dir, encoding: 'utf8' })
  const good = run('good.jsonl', '--head', 'head.jsonl', '--key', `${ada.code}=${ada.key.publicKey}`)
  assert.match(good.stdout, /^ok: 6 turns of crq_5, 0 without a signature/)
  assert.equal(good.status, 0)
  assert.equal(run('bad.jsonl').status, 1)
  assert.equal(run().status, 2)
})
