/**
 * A server is killed (SIGKILL: nothing can be tidied up) in the middle of a reply, and again while a question is open.
 * Started again each time, it finishes the reply, repeats nothing, and the question is still open.
 * Run it: node_modules/.bin/node examples/crash-and-resume/main.ts
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type Shown = { type: string; data: { text?: string } }

const folder = mkdtempSync(join(tmpdir(), 'parley-story-'))
const file = join(folder, 'story.db')

try {
  const first = await runUntil((lines) => lines.includes('half') && lines.length >= 4, 'hold')
  assert.deepEqual(typesIn(first), ['dialog.opened', 'message.said', 'dialog.titled'])
  console.log('killed in the middle of the reply: half of it was on the screen, none of it in the log')

  const second = await runUntil((lines) => lines.at(-1)?.includes('"question.asked"') ?? false)
  const story = second.filter(({ type }) => type === 'message.said').map(({ data }) => data.text)
  assert.equal(story.length, 2, 'the story is there once')
  assert.match(story[1] ?? '', /^Once upon a time .* still there\.$/)
  console.log(`started again: "${story[1]}"`)

  const third = await runUntil((lines) => lines.at(-1)?.includes('"question.asked"') ?? false)
  assert.deepEqual(third.slice(0, second.length), second, 'what was read before is read again, the same and in the same order')
  assert.equal(third.filter(({ type }) => type === 'question.asked').length, 1)
  assert.equal(third.filter(({ type }) => type.startsWith('question.') && type !== 'question.asked').length, 0)
  console.log('killed and started once more: the question is still open, and was asked once')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the server until it has written enough, then kills it. Gives the events it showed. */
async function runUntil(isReached: (lines: readonly string[]) => boolean, ...more: string[]): Promise<Shown[]> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('server.ts', import.meta.url)), file, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise((resolve) => server.once('exit', resolve))
  const lines: string[] = []
  for await (const line of createInterface({ input: server.stdout })) {
    lines.push(line)
    if (isReached(lines)) break
  }
  server.kill('SIGKILL')
  await gone
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Shown)
}

function typesIn(shown: readonly Shown[]): string[] {
  return shown.map(({ type }) => type)
}
