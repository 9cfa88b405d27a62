import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { GrantView, QuestionView } from '../shapes/wire.ts'
import { cliFolder } from './testing/spawned.ts'

const enter = '\r'
const escape = '\u001b'
const ctrlD = '\u0004'

const agent = fileURLToPath(new URL('../../test/fixtures/approval-agent.ts', import.meta.url))

/** As in at-a-terminal.e2e.test.ts, only Linux has a `script` that takes a command this way. */
if (process.platform === 'linux') {
  describe('approvals at a terminal', () => {
    const cli = cliFolder()
    before(async () => {
      writeFileSync(join(cli.dir, 'parley.yaml'), `team:\n  members:\n    payer:\n      runtime: scripted\n      module: ${agent}\n`)
      await cli.serve()
    })
    after(() => cli.close())

    const waiting = async (): Promise<QuestionView[]> => (await cli.json<{ items: QuestionView[] }>('approve')).items

    test('a chat shows the whole call with its choices; a typed yes is only a message', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with payer')
      chat.type(`ann${enter}`)
      await chat.until(
        /\? Allow payer to use pay\?\s+Requested by the owner[\s\S]*│ {3}"amount": 5,\s+│ {3}"to": "ann"[\s\S]*Allow once[\s\S]*Allow in this chat[\s\S]*Always allow…[\s\S]*Deny[\s\S]*Deny with a note/,
      )
      chat.type(escape)
      await chat.until('Not now. It stays open: /answer')
      const [open = assert.fail('nothing waits')] = await waiting()
      for (const text of ['yes', 'Allow once']) {
        chat.type(`${text}${enter}`)
        await chat.until(new RegExp(`heard ${text}[\\s\\S]*› `))
      }
      assert.ok((await waiting()).some(({ id, state }) => id === open.id && state === 'open'))
      chat.type(`/answer${enter}`)
      await chat.until('Deny with a note')
      await chat.choose('Allow once')
      await chat.until(/✓ You: Allow once[\s\S]*(paid 5 to ann|Allow payer)/)
      assert.ok((await waiting()).every(({ id }) => id !== open.id))
      chat.child.kill('SIGKILL')
      await chat.ended
      for (const { id } of await waiting()) await cli.run('deny', id)
    })

    test('words typed at an approval menu decide nothing and are kept as the message', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with payer')
      chat.type(`gil${enter}`)
      await chat.until(/● Not now[\s\S]*Deny with a note/)
      chat.type(`hello`)
      const pressing = setInterval(() => chat.type(enter), 400)
      try {
        await chat.until(/Not now\. It stays open: \/answer[\s\S]*› hello/)
      } finally {
        clearInterval(pressing)
      }
      assert.equal((await waiting()).length, 1)
      assert.deepEqual(await cli.json<GrantView[]>('grants', 'list'), [])
      chat.child.kill('SIGKILL')
      await chat.ended
      for (const { id } of await waiting()) await cli.run('deny', id)
    })

    test('dialogs trust shows the texts of others, asks, and trusts up to the last one it has shown', async () => {
      const { token } = await cli.json<{ token: string }>('token', 'create', 'bot', '--scope', 'chat', '--scope', 'read')
      const result = await cli.with({ env: { PARLEY_TOKEN: token } }, 'send', 'please pay eve', '--json')
      const { dialog } = JSON.parse(result.out) as { dialog: string }
      const trust = cli.atTerminal('dialogs', 'trust', dialog)
      await trust.until(/bot[\s\S]*please pay eve[\s\S]*First read the text from other people above\.[\s\S]*Trust the dialog up to here\?/)
      await trust.choose('Trust it')
      await trust.until('judged by the role of the owner again')
      await trust.ended
      for (const { id } of await waiting()) await cli.run('deny', id)
    })

    test('several approvals of a turn are one card: all once', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with payer')
      chat.type(`ann, bob${enter}`)
      await chat.until(/payer needs 2 approvals[\s\S]*"to": "ann"[\s\S]*"to": "bob"[\s\S]*Allow both once[\s\S]*Deny all[\s\S]*Decide each/)
      await chat.choose('Allow both once')
      await chat.until(/✓ You: Allow once[\s\S]*✓ You: Allow once[\s\S]*paid 5 to bob/)
      chat.type(`cem, dan${enter}`)
      await chat.until('Decide each')
      await chat.choose('Decide each')
      await chat.until(/"to": "cem"[\s\S]*Deny with a note/)
      await chat.choose('Allow once')
      await chat.until(/"to": "dan"[\s\S]*Deny with a note/)
      await chat.choose('Deny with a note')
      await chat.until('Note for the agent')
      chat.type(`not dan${enter}`)
      await chat.until(/✓ You: Allow once[\s\S]*✗ You: Deny\s+not dan/)
      await chat.until('› ')
      chat.type(ctrlD)
      assert.equal((await chat.ended).code, 0)
      assert.deepEqual(await waiting(), [])
    })

    test('approve asks about what waits, and always allow asks for the scope', async () => {
      await cli.run('send', 'eve', '--wait')
      const aborted = cli.atTerminal('approve')
      await aborted.until('Deny with a note')
      aborted.type(escape)
      const put = await aborted.ended
      assert.equal(put.code, 130)
      assert.match(put.out, /It stays open: parley approve q_/)
      assert.equal((await waiting()).length, 1)

      const approving = cli.atTerminal('approve')
      await approving.until(/"to": "eve"[\s\S]*Deny with a note/)
      await approving.choose('Always allow…')
      await approving.until(/What may payer always do\?[\s\S]*tool\(pay\)[\s\S]*Another scope…/)
      await approving.choose('tool(pay)')
      const { code, out } = await approving.ended
      assert.equal(code, 0)
      assert.match(out, /Always allowed\./)
      const grants = await cli.json<GrantView[]>('grants', 'list')
      assert.deepEqual(
        grants.map(({ scope, dialog }) => [scope, dialog]),
        [['tool(pay)', null]],
      )
      for (const { id } of grants) await cli.run('grants', 'revoke', id)
    })

    test('a menu goes away when the approval is decided elsewhere', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with payer')
      chat.type(`fay${enter}`)
      await chat.until('Deny with a note')
      const [open = assert.fail('nothing waits')] = await waiting()
      await cli.run('approve', open.id, '--once')
      await chat.until(/✓ You: Allow once[\s\S]*paid 5 to fay/)
      // A key that comes between the menu and the prompt is for neither.
      const leaving = setInterval(() => chat.type(ctrlD), 500)
      try {
        assert.equal((await chat.ended).code, 0)
      } finally {
        clearInterval(leaving)
      }
    })
  })
} else test('menus need Linux to be tested', () => assert.notEqual(process.platform, 'linux'))
