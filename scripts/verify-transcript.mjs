#!/usr/bin/env node
/**
 * Checks an exported transcript of a conversation between two agents. It needs Node and this file alone: nothing of Parley.
 *
 *   node verify-transcript.mjs FILE [--key CODE=KEY]... [--head HEADFILE]...
 *
 * --key   the public key that you know of a participant, such as from its share card; the keys in the file prove only that
 *         the file was not changed since it was signed
 * --head  a signed head that the other side kept: a transcript that ends before it was cut
 *
 * Ends with 0 if everything fits, 1 at the first fault, 2 if it was called wrongly. The format is in docs/guides/worlds-host.md.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const fields = {
  transcript: ['intent', 'peer', 'type', 'v', 'you'],
  turn: ['from', 'hash', 'intent', 'key', 'previous', 'signature', 'text', 'to', 'turn', 'type'],
  head: ['by', 'hash', 'intent', 'key', 'signature', 'turn', 'type'],
  end: ['head', 'heads', 'turns', 'type'],
}
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const sorted = (value, names) => JSON.stringify(Object.fromEntries(names.toSorted().map((name) => [name, value[name]])))
const isCanonical = (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text

/** A signature is `header..signature` over the base64url of the content, with an exact header. */
function isSigned(content, { key, signature }, typ) {
  const [header, gap, proof, ...rest] = String(signature).split('.')
  if (gap !== '' || rest.length > 0 || !isCanonical(proof ?? '') || !isCanonical(String(key))) return false
  if (header !== Buffer.from(JSON.stringify({ alg: 'Ed25519', kid: key, typ })).toString('base64url')) return false
  try {
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key } })
    const signed = Buffer.from(`${header}.${Buffer.from(content).toString('base64url')}`)
    return verify(null, signed, publicKey, Buffer.from(proof, 'base64url'))
  } catch {
    return false
  }
}

/** One line of the file: an object of a known type with exactly its fields, written in the one canonical way. */
function readLine(line) {
  let value
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const names = Object.hasOwn(fields, String(value?.type)) ? fields[value.type] : undefined
  return names !== undefined && line === sorted(value, names) ? value : null
}

const headContent = (head) => sorted(head, ['by', 'hash', 'intent', 'turn'])

/** `keys` by code; `heads` are texts of head lines. Gives the first fault, or null and what was seen. */
export function verifyTranscript(text, { keys = {}, heads = [] } = {}) {
  const lines = text.split('\n')
  if (lines.pop() !== '') return { fault: 'the last line is not complete' }
  const values = lines.map(readLine)
  const broken = values.indexOf(null)
  if (broken !== -1) return { fault: `line ${broken + 1} is not a line of a transcript` }
  const [first, ...rest] = values
  const end = rest.pop()
  if (first?.type !== 'transcript' || first.v !== 1) return { fault: 'line 1 does not open a transcript of version 1' }
  if (end?.type !== 'end') return { fault: 'the transcript has no end line: its tail was cut' }
  const { intent, you, peer } = first
  const turns = rest.filter(({ type }) => type === 'turn')
  const held = rest.filter(({ type }) => type === 'head')
  if (rest.some((value, index) => value !== [...turns, ...held][index])) return { fault: 'a line is out of place' }
  let previous = sha256(`parley worlds ${intent}`)
  const hashes = []
  for (const [index, turn] of turns.entries()) {
    const number = index + 1
    const pair = [turn.from, turn.to]
    if (turn.turn !== number || turn.intent !== intent) return { fault: `turn ${number} is missing or out of order` }
    if (you === peer || !pair.includes(you) || !pair.includes(peer)) return { fault: `turn ${number} has another writer or reader` }
    if (turn.previous !== previous) return { fault: `turn ${number} does not follow the turn before it` }
    const content = sorted(turn, ['from', 'to', 'intent', 'turn', 'previous', 'text'])
    if (turn.hash !== sha256(content)) return { fault: `turn ${number} was changed` }
    const expected = keys[turn.from]
    if (turn.key === null ? turn.signature !== null || expected !== undefined : !isSigned(content, turn, 'parley-turn'))
      return { fault: `turn ${number} is not signed by its writer` }
    if (expected !== undefined && turn.key !== expected)
      return { fault: `turn ${number} is signed with another key than that of ${turn.from}` }
    hashes.push((previous = turn.hash))
  }
  if (end.turns !== turns.length || end.head !== previous) return { fault: 'the transcript ends too early or too late: its tail was cut' }
  if (JSON.stringify(end.heads) !== JSON.stringify(held.map(({ by }) => by))) return { fault: 'a signed head is missing' }
  if (held[0]?.by !== you || held[0].turn !== turns.length) return { fault: 'the exporter has not signed the end' }
  for (const line of [...held, ...heads.map((each) => readLine(each.trim()))]) {
    if (line?.type !== 'head' || line.intent !== intent || ![you, peer].includes(line.by))
      return { fault: 'a head belongs to another transcript' }
    if (!isSigned(headContent(line), line, 'parley-head')) return { fault: `the head of ${line.by} is not signed by it` }
    if (line.key !== (keys[line.by] ?? turns.findLast(({ from }) => from === line.by)?.key ?? line.key))
      return { fault: `the head of ${line.by} has another key` }
    if (line.turn !== 0 && hashes[line.turn - 1] !== line.hash)
      return { fault: `the transcript lacks turn ${line.turn} as ${line.by} signed it: its tail was cut or changed` }
  }
  return {
    fault: null,
    intent,
    turns: turns.length,
    unsigned: turns.filter(({ key }) => key === null).length,
    keys: Object.fromEntries([...turns, ...held].map((line) => [line.from ?? line.by, line.key])),
  }
}

function main([file, ...flags]) {
  const options = { keys: {}, heads: [] }
  for (let at = 0; at < flags.length; at += 2) {
    const [code, key] = (flags[at + 1] ?? '').split('=')
    if (flags[at] === '--key' && key) options.keys[code] = key
    else if (flags[at] === '--head' && code) options.heads.push(readFileSync(flags[at + 1], 'utf8'))
    else return 2
  }
  if (file === undefined || file.startsWith('--')) return 2
  const { fault, ...seen } = verifyTranscript(readFileSync(file, 'utf8'), options)
  console.log(fault === null ? `ok: ${seen.turns} turns of ${seen.intent}, ${seen.unsigned} without a signature` : `fault: ${fault}`)
  for (const [code, key] of Object.entries(seen.keys ?? {}))
    console.log(`${code} signed with ${key}${options.keys[code] ? ' (the key you gave)' : ''}`)
  return fault === null ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2))
  if (process.exitCode === 2) console.error('usage: node verify-transcript.mjs FILE [--key CODE=KEY]... [--head HEADFILE]...')
}
