import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parleyClient } from '../src/client/index.ts'
import { agent, memoryStore, parley } from '../src/index.ts'
import { rows } from '../src/cli/table.ts'
import { operations } from '../src/shapes/operations.ts'
import { buildTable } from '../src/server/test/route-table.ts'
import { serverUnderTest } from '../src/server/test/server-under-test.ts'

/** Noun and verb, the same in HTTP (operation id), client and library, and the terminal command where there is one. */
const verbs: readonly (readonly [operation: string, terminal: string | null])[] = [
  ['dialogs.open', null],
  ['dialogs.say', 'send'],
  ['dialogs.stop', 'dialogs stop'],
  ['dialogs.continue', 'dialogs continue'],
  ['dialogs.freshStart', 'dialogs fresh-start'],
  ['dialogs.changePushes', 'dialogs pushes'],
  ['dialogs.giveUp', 'dialogs give-up'],
  ['dialogs.branch', 'dialogs branch'],
  ['dialogs.delete', 'dialogs delete'],
  ['taskdocs.list', 'taskdocs list'],
  ['taskdocs.create', 'taskdocs create'],
  ['taskdocs.change', 'taskdocs change'],
  ['questions.answer', 'answer'],
  ['questions.decline', 'decline'],
  ['questions.withdraw', 'withdraw'],
  ['questions.approve', 'approve'],
  ['questions.deny', 'deny'],
  ['builds.start', 'builds start'],
  ['builds.say', 'builds say'],
  ['builds.cancel', 'builds cancel'],
  ['builds.retry', 'builds retry'],
  ['messages.send', 'message send'],
  ['messages.edit', 'message edit'],
  ['messages.remove', 'message remove'],
  ['messages.pin', 'message pin'],
  ['requests.accept', 'requests accept'],
  ['requests.decline', 'requests decline'],
  ['requests.block', 'requests block'],
]

/** A request of a stranger is called a pairing in the client. */
const clientNouns: Readonly<Record<string, string>> = { requests: 'pairings' }

test('HTTP, client, library and terminal have the same verbs', async () => {
  const client = parleyClient({ baseUrl: 'http://127.0.0.1:9' }) as unknown as Record<string, Record<string, unknown>>
  await using app = await parley({ store: memoryStore(), agents: [agent({ name: 'ada', *reply() {} })], as: 'mia' })
  const library = app as unknown as Record<string, Record<string, unknown>>
  const commands = new Set(rows.map(({ path }) => path))
  for (const [operation, terminal] of verbs) {
    const [noun = '', verb = ''] = operation.split('.')
    assert.ok(Object.hasOwn(operations, operation), `HTTP has no ${operation}`)
    assert.equal(typeof client[clientNouns[noun] ?? noun]?.[verb], 'function', `the client has no ${operation}`)
    // Chat apps and the folder of a project belong to a server.
    if (library[noun]) assert.equal(typeof library[noun][verb], 'function', `the library has no ${operation}`)
    else assert.ok(['messages', 'requests', 'taskdocs'].includes(noun), noun)
    if (terminal !== null) assert.ok(commands.has(terminal), `the terminal has no ${terminal}`)
  }
})

test('every operation has a route', async (t) => {
  const under = await serverUnderTest()
  t.after(() => under.close())
  const current = buildTable(under).flatMap(({ operation, isDeprecated }) => (isDeprecated ? [] : operation))
  // The server adds its own document to the table.
  assert.deepEqual([...current, 'server.openapi'].toSorted(), Object.keys(operations).toSorted())
})

test('names of earlier versions still work', async (t) => {
  const under = await serverUnderTest()
  t.after(() => under.close())
  const former = buildTable(under).filter(({ isDeprecated }) => isDeprecated)
  assert.deepEqual(former.map(({ path }) => path).toSorted(), ['/v1/dialogs/{id}/dead', '/v1/questions/{id}/cancel'])
  assert.deepEqual(rows.flatMap(({ formerNames = [] }) => formerNames).toSorted(), ['dead', 'delete'])
})
