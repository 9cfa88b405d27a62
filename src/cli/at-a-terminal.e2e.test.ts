import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { DialogDetail, Inbox, Page } from '../shapes/wire.ts'
import { cliFolder } from './testing/spawned.ts'

const enter = '\r'
const escape = '\u001b'
const ctrlC = '\u0003'
const ctrlD = '\u0004'

/** Only Linux has a `script` that takes a command this way; elsewhere the rest of the end-to-end tests has to do. */
if (process.platform === 'linux') {
  describe('at a terminal', () => {
    const cli = cliFolder()
    before(async () => void (await cli.serve('--slow')))
    after(() => cli.close())

    test('serve prints a one-time link to a person', async () => {
      const alone = cliFolder()
      try {
        const server = alone.atTerminal('serve', '--port', '0')
        await server.until(/Chat +http:\/\/127\.0\.0\.1:\d+\/#k=\S+ +one-time link/)
        await server.end()
      } finally {
        await alone.close()
      }
    })

    test('a chat with its menus, its commands and its end', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with ada')
      chat.type(`hello there${enter}`)
      await chat.until(/Hello, I am Ada[\s\S]*ada asks you: What should the reading list be for\?[\s\S]*Just for fun/)
      chat.type(escape)
      await chat.until('It stays open: /answer')
      chat.type(`/nonsense${enter}`)
      await chat.until('Unknown command /nonsense')
      chat.type(`/inbox${enter}`)
      await chat.until('Get better at work [work]')
      chat.type(`/answer${enter}`)
      await chat.until('Just for fun')
      await chat.choose('Get better at work')
      await chat.until(/“Get better at work”, good\.[\s\S]*How much do you want to read\?[\s\S]*One book a week/)
      await chat.choose('One book a week')
      await chat.until('Which topic?')
      chat.type(`how cities grow${enter}`)
      // The teammate's question is pointed out; it is answered where it was asked.
      const prompt = await chat.until(/asks @researcher[\s\S]*researcher asks you: Short books or long ones\?[\s\S]*\/open dlg_\w+/)
      chat.type(`/open ${/\/open (dlg_\w+)/.exec(prompt)?.[1]}${enter}`)
      await chat.until(/@ada asks[\s\S]*● Short ones[\s\S]*Either/)
      await chat.choose('Short ones')
      const replied = await chat.until(/under two hundred pages[\s\S]*replied to @ada/)
      assert.match(replied, /Look for short books/)
      chat.type(`/open last${enter}`)
      await chat.until(/uses make_list[\s\S]*Your reading list: how cities[\s\S]*whenever you like/)
      chat.type(`/quit${enter}`)
      const { code, out } = await chat.ended
      assert.equal(code, 0)
      assert.match(out, /Continue: parley chat --to dlg_/)
      const { items } = await cli.json<Page<DialogDetail>>('dialogs', 'list')
      assert.equal(items.length, 1)
      assert.equal(items[0]?.status, 'ready')
    })

    test('Ctrl+C once stops the agent, twice leaves; what was typed meanwhile is still there', async () => {
      const chat = cli.atTerminal('chat')
      await chat.until('Talking with ada')
      chat.type(`a long one${enter}`)
      await chat.until('Here is a long')
      chat.type('and then')
      chat.type(ctrlC)
      await chat.until(/stopped here[\s\S]*› and then/)
      // Both at once: on a slow machine the first one is too long ago to be counted.
      chat.type(ctrlC + ctrlC)
      const { code } = await chat.ended
      assert.equal(code, 130)
      assert.equal((await cli.json<DialogDetail>('dialogs', 'show', 'last')).status, 'stopped')
    })

    test('a dialog is gone on with where it was, and continued with c', async () => {
      const chat = cli.atTerminal('chat', '--to', 'last')
      await chat.until(/a long one[\s\S]*stopped[\s\S]*Talking with ada/)
      chat.type(`c${enter}`)
      await chat.until(/continued[\s\S]*Hello, I am Ada[\s\S]*Just for fun/)
      chat.type(escape)
      await chat.until(/It stays open: \/answer[\s\S]*› /)
      chat.type(ctrlD)
      assert.equal((await chat.ended).code, 0)
    })

    test('answer asks part by part, and leaving it answers nothing', async () => {
      await cli.run('send', 'one more', '--wait')
      const { count } = await cli.json<Inbox>('inbox', 'list')
      const aborted = cli.atTerminal('answer', 'last')
      await aborted.until('Just for fun')
      aborted.type(escape)
      assert.equal((await aborted.ended).code, 130)
      assert.equal((await cli.json<Inbox>('inbox', 'list')).count, count)
      const answering = cli.atTerminal('answer', 'last')
      await answering.until('Just for fun')
      await answering.choose('Learn something new')
      const { code, out } = await answering.ended
      assert.equal(code, 0)
      assert.match(out, /Answered\. Learn something new/)
    })

    test('model set asks what it needs and never shows the key', async () => {
      const set = cli.atTerminal('model', 'set', 'openai-compatible')
      await set.until('Server address')
      set.type(`http://127.0.0.1:9/v1${enter}`)
      await set.until('Model name')
      set.type(`qwen3${enter}`)
      await set.until('Key for')
      set.type(`sk-typed${enter}`)
      const { code, out } = await set.ended
      assert.equal(code, 0)
      assert.doesNotMatch(out, /sk-typed/)
      assert.match(
        readFileSync(join(cli.dir, 'parley.yaml'), 'utf8'),
        /baseUrl: http:\/\/127\.0\.0\.1:9\/v1[\s\S]*apiKey: \$\{PARLEY_MAIN_KEY\}/,
      )
    })
  })
} else test('menus need Linux to be tested', () => assert.notEqual(process.platform, 'linux'))
