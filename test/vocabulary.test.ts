import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOnly, type ProjectFile, projectFiles } from './project-files.ts'
import { words } from './words.ts'

/** Words of the right-hand column that also have another meaning here, so that an identifier alone proves nothing. */
const otherMeanings: Record<string, string> = {
  epoch: 'the fencing number of a lease (engine)',
  round: 'Math.round',
  window: 'the browser’s global',
  run: 'the verb: a tool runs, a command runs',
  step: 'one step of a scripted agent; a build’s step later',
  loop: 'the event loop',
  tick: 'one round of it',
  record: 'TypeScript’s Record',
  action: 'GitHub’s and commander’s own word',
  message: 'what somebody said; also Error.message',
  call: 'a tool call',
  response: 'an HTTP response',
  result: 'what a function gives back',
  post: 'the HTTP method',
  element: 'a DOM element',
  view: 'a read model folded from events (src/views)',
  payload: 'what a piece of work carries (ports/store)',
  update: 'the verb',
  member: 'an entry of the team in parley.yaml',
}

/** Places where another program’s word has to be used as it is spelled there. */
const allowed: { path: RegExp; words: string[]; why: string }[] = [
  { path: /^src\/(agents|config|cli)\//, words: ['provider'], why: 'who serves a model, in the AI SDK and in parley.yaml' },
  { path: /^src\/(agents|testing)\//, words: ['assistant', 'user', 'completion'], why: 'roles and fields in the protocols of the models' },
  { path: /^src\/cli\//, words: ['completion', 'interrupt', 'engine'], why: 'completion of a shell; Ctrl+C; “engines” of package.json' },
  { path: /^src\/store\/sqlite\//, words: ['db'], why: 'SQLite’s own handle, in its only home' },
  { path: /^src\/server\//, words: ['hub'], why: 'one feed handed on to many readers' },
  { path: /^src\/(access|server)\//, words: ['session'], why: 'a signed-in browser, as cookies call it' },
  { path: /^src\/(authority|messaging|inbound|cli)\//, words: ['card'], why: 'the message that shows an approval' },
  {
    path: /^src\/(config\/|ports\/|messaging\/|server\/|cli\/|start\.ts)/,
    words: ['webhook'],
    why: 'the way a platform calls us, by the name all platforms and parley.yaml give it',
  },
  {
    path: /^src\/(agents\/message-|server\/messaging-routes|server\/route-capabilities|cli\/messages)/,
    words: ['thread', 'card', 'bot'],
    why: 'fields others send us: taken by their name, or refused by it',
  },
  {
    path: /^src\/(channels\/telegram|testing\/telegram-emulator)\//,
    words: ['thread', 'user', 'bot', 'webhook', 'offset', 'update'],
    why: 'Telegram’s own words, in its only home',
  },
  {
    path: /^src\/plugins\/reply-end-controls\//,
    words: ['conversation', 'bot', 'user', 'thread', 'offset'],
    why: 'it lives in any bot, not only in Parley',
  },
  {
    path: /^src\/build\//,
    words: ['user', 'assistant', 'thread', 'dispatch'],
    why: 'names of the build protocol, and words the language guard looks for',
  },
  {
    path: /^src\/bridges\/ag-ui\//,
    words: ['thread', 'user', 'assistant', 'interrupt'],
    why: 'AG-UI’s own words, in its only home',
  },
  { path: /^src\//, words: ['session'], why: 'one of the three modes of a tellask, by the name the protocol gives it' },
]

const parts = (name: string): string[] =>
  name.split(/_|\$|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((part) => part.toLowerCase())

const banned = new Map(
  Object.entries(words).flatMap(([word, nots]) =>
    nots.filter((not) => !(not in otherMeanings)).flatMap((not) => [[not, word] as const, [`${not}s`, word] as const]),
  ),
)

function misnamed({ path, text }: ProjectFile): string[] {
  const free = allowed.filter((one) => one.path.test(path)).flatMap((one) => one.words.flatMap((word) => [word, `${word}s`]))
  const names = new Set([...codeOnly(text).matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name))
  const fromPath = path.replace(/^\w+\/|\.\w+$/g, '').split(/[/.-]/)
  return [...names, ...fromPath].flatMap((name) =>
    parts(name)
      .filter((part) => banned.has(part) && !free.includes(part))
      .map((part) => `${path}: ${name} says "${part}", the word is: ${banned.get(part)}`),
  )
}

test('identifiers and file names use the words of the vocabulary', (t) => {
  const files = projectFiles(['src'], /\.ts$/)
  t.diagnostic(`${files.length} files, ${banned.size} words`)
  assert.ok(files.length > 20 && banned.size > 50)
  assert.deepEqual(files.flatMap(misnamed), [])
})

test('a word of the wrong column is found in names, not in texts and comments', () => {
  assert.equal(misnamed({ path: 'src/driver/a.ts', text: 'const userThread = 1' }).length, 2)
  assert.equal(misnamed({ path: 'src/driver/turn-runner.ts', text: '' }).length, 1)
  assert.deepEqual(
    misnamed({ path: 'src/driver/a.ts', text: "// a user's session\nconst dialog = 'user session' + `${'bot'} thread`" }),
    [],
  )
})

test('every exception names a word of the table', () => {
  const known = new Set(Object.values(words).flat())
  assert.deepEqual(
    [...Object.keys(otherMeanings), ...allowed.flatMap((one) => one.words)].filter((word) => !known.has(word)),
    [],
  )
})
