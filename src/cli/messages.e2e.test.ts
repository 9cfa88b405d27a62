import assert from 'node:assert/strict'
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { DrySend, Inbox, Sent } from '../shapes/wire.ts'
import { makeDelivery, fakeMessaging, type FakeMessaging, makePairing } from '../server/test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest } from '../server/test/server-under-test.ts'
import { type TelegramEmulator, telegramEmulator } from '../testing/telegram-emulator/telegram-emulator.ts'
import { cliFolder, type Ended } from './testing/spawned.ts'

describe('messages from the terminal', () => {
  let under: ServerUnderTest
  let messaging: FakeMessaging
  const cli = cliFolder()
  let env: NodeJS.ProcessEnv
  before(async () => {
    messaging = fakeMessaging()
    under = await serverUnderTest({ messaging })
    env = { PARLEY_URL: under.url, PARLEY_TOKEN: await under.token() }
  })
  beforeEach(() => {
    messaging.asked.length = 0
    messaging.kept.clear()
    messaging.people.length = 0
  })
  after(async () => {
    await cli.close()
    await under.close()
  })
  const run = (...args: string[]): Promise<Ended> => cli.with({ env }, ...args)

  test('send: flags become one request, and the outcome is the result', async () => {
    writeFileSync(join(cli.dir, 'hello.json'), JSON.stringify({ title: 'Hello', blocks: [] }))
    const flags = ['--presentation', '@hello.json', '--delivery', '{"pin":{"enabled":true}}', '--reply-to', '3', '--silent']
    const result = await run('message', 'send', '-t', 'telegram:-1001', '--thread-id', '7', '--message', 'Hi', ...flags)
    assert.equal(result.code, 0, result.err)
    assert.equal(result.out, 'Sent to telegram:-1001:topic:7 (message 7).\n')
    assert.deepEqual(messaging.asked[0]?.with, {
      channel: 'telegram',
      target: '-1001:topic:7',
      message: 'Hi',
      presentation: { title: 'Hello', blocks: [] },
      delivery: { pin: { enabled: true } },
      replyTo: '3',
      silent: true,
      waitMs: 5_000,
    })
    assert.equal(messaging.asked[0]?.caller?.via, 'cli')
  })

  test('send: a whole message of a file, where flags count more', async () => {
    const example = new URL('../../examples/approval.json', import.meta.url)
    const { text, presentation } = JSON.parse(readFileSync(example, 'utf8')) as { text: string; presentation: object }
    writeFileSync(join(cli.dir, 'whole.json'), JSON.stringify({ text, presentation, delivery: { pin: true }, send: { silent: true } }))
    const flags = ['-t', '42', '--presentation', '@whole.json']
    assert.equal((await run('message', 'send', ...flags)).code, 0)
    assert.equal((await run('message', 'send', ...flags, '--message', 'Other words')).code, 0)
    assert.equal((await run('message', 'edit', 'dlv_1', '--presentation', '@whole.json')).code, 0)
    const payload = { target: '42', presentation, delivery: { pin: true }, silent: true, waitMs: 5_000 }
    assert.deepEqual(
      messaging.asked.slice(0, 2).map((one) => one.with),
      [
        { ...payload, message: text },
        { ...payload, message: 'Other words' },
      ],
    )
    const odd = await run('message', 'send', '-t', '42', '--presentation', '{"text":"x","buttons":[]}')
    assert.deepEqual([odd.code, /"buttons"[\s\S]*text, presentation/.test(odd.err)], [2, true])
  })

  test('send: a file is named from the folder one is in', async () => {
    const folder = pathToFileURL(realpathSync(cli.dir)).href
    for (const name of ['file:a picture.png', 'file:./b.png', 'file:///c.png'])
      assert.equal((await run('message', 'send', '-t', '42', '--media', name)).code, 0)
    assert.deepEqual(
      messaging.asked.map((one) => (one.with as { media?: unknown }).media),
      [[`${folder}/a%20picture.png`], [`${folder}/b.png`], ['file:///c.png']],
    )
  })

  test('send: stdin, --pin and --json', async () => {
    const output = await cli.with({ env, input: 'from a pipe\n' }, 'message', 'send', '-t', '42', '--message', '-', '--pin', '--json')
    assert.equal((JSON.parse(output.out) as Sent).delivery.text, 'from a pipe')
    assert.equal(output.err, '')
    assert.deepEqual((messaging.asked[0]?.with as { delivery?: unknown } | undefined)?.delivery, { pin: true })
  })

  test('a dry run shows the requests and the losses, and sends nothing', async () => {
    const result = await run('message', 'send', '-t', '42', '--message', 'Hi', '--dry-run')
    assert.match(result.out, /sendMessage[\s\S]*"chat_id": 42[\s\S]*! style of "Go": danger → no style/)
    assert.match(result.err, /Nothing was sent/)
    const json = JSON.parse((await run('message', 'send', '-t', '42', '--message', 'Hi', '--dry-run', '--json')).out) as DrySend
    assert.equal(json.requests[0]?.operation, 'sendMessage')
    assert.equal(messaging.kept.size, 0)
  })

  test('what is missing or wrong is said with the next step, and nothing is sent', async () => {
    const wrong: [string[], RegExp][] = [
      [['--message', 'x'], /target is missing[\s\S]*-t telegram:42/],
      [['-t', '42'], /nothing to send[\s\S]*--message, --media or --presentation/],
      [['-t', '42', '--presentation', '{'], /--presentation is not valid JSON[\s\S]*@file/],
      [['-t', '42', '--presentation', '[]'], /not an object/],
      [['-t', '42', '--presentation', '@nowhere.json'], /nowhere.json cannot be read/],
      [['-t', '42', '--media', './picture.png'], /takes an address/],
      [['-t', 'telegram:42', '--channel', 'work', '--message', 'x'], /is on "telegram"/],
    ]
    for (const [args, words] of wrong) {
      const result = await run('message', 'send', ...args)
      assert.equal(result.code, 2, args.join(' '))
      assert.match(result.err, words)
      assert.equal(result.out, '')
    }
    const native = await run('message', 'send', '-t', '42', '--presentation', '{"title":"x","buttons":[]}', '--json')
    assert.equal(native.code, 1)
    const { error } = JSON.parse(native.err) as { error: { code: string; hint: string } }
    assert.equal(error.code, 'native_field')
    assert.match(error.hint, /presentation\.blocks/)
    assert.deepEqual(messaging.asked, [])
  })

  test('edit, react, pin, pins, unpin, delete', async () => {
    const at = ['-t', 'telegram:42', '--message-id', '7']
    for (const [args, words] of [
      [['edit', 'dlv_1', '--message', 'better'], 'Changed.\n'],
      [['edit', ...at, '--message', 'better'], 'Changed.\n'],
      [['react', ...at, '--emoji', '👍'], 'Reaction set.\n'],
      [['react', ...at, '--remove'], 'Reaction removed.\n'],
      [['pin', ...at, '--notify'], 'Pinned.\n'],
      [['unpin', ...at], 'Unpinned.\n'],
      [['delete', ...at], 'Deleted.\n'],
    ] as const) {
      const result = await run('message', ...args)
      assert.equal(result.out, words, result.err)
    }
    assert.match((await run('message', 'pins', '-t', '42', '--limit', '3')).out, /^7 .*Hello/)
    assert.deepEqual(
      messaging.asked.map(({ what }) => what),
      ['edit', 'edit', 'react', 'react', 'pin', 'unpin', 'remove', 'pins'],
    )
    assert.match((await run('message', 'pin', '-t', '42')).err, /message id is missing/)
  })

  test('broadcast: a delivery for each target, and one that is refused keeps the others', async () => {
    const result = await run('message', 'broadcast', '-t', 'telegram:42', '-t', 'nowhere:7', '--message', 'Hello')
    assert.equal(result.code, 1)
    assert.match(result.out, /^Sent to telegram:42.*\nNot sent to nowhere:7\.$/m)
    assert.match((await run('message', 'broadcast', '--message', 'x')).err, /targets are missing/)
    const both = await run('message', 'broadcast', '-t', '42', '-t', '43', '--channel', 'telegram', '--message', 'x', '--json')
    assert.equal(both.code, 0)
    assert.equal((JSON.parse(both.out) as { items: object[] }).items.length, 2)
  })

  test('poll: flags become one request; a chat app without polls says so', async () => {
    const poll = ['--poll-question', 'Lunch?', '--poll-option', 'Pizza', '--poll-option', 'Sushi, raw']
    const more = ['--poll-multi', '--poll-public', '--poll-duration-hours', '2', '--pin']
    const result = await run('message', 'poll', '-t', 'telegram:42', ...poll, ...more)
    assert.equal(result.out, 'Sent to telegram:42 (message 7).\n', result.err)
    assert.deepEqual(messaging.asked[0]?.with, {
      channel: 'telegram',
      target: '42',
      poll: { question: 'Lunch?', options: ['Pizza', 'Sushi, raw'], isMultiple: true, isAnonymous: false, openForMs: 7_200_000 },
      pin: true,
      waitMs: 5_000,
    })
    const refused = await run('message', 'poll', '-t', 'slack:C1', ...poll)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /slack cannot send polls/)
    assert.match((await run('message', 'poll', '-t', '42', ...poll.slice(0, 4))).err, /at least two options/)
  })

  test('read and reactions: what the chat app tells', async () => {
    const read = await run('message', 'read', '-t', 'telegram:42', '--limit', '5', '--before', '9')
    assert.match(read.out, /^7 .*Mira {2}Hello \[1 file\]$/m)
    assert.deepEqual(messaging.asked[0]?.with, { channel: 'telegram', target: '42', limit: 5, before: '9' })
    const reactions = await run('message', 'reactions', '-t', '42', '--message-id', '7')
    assert.match(reactions.out, /^👍 {2}2 {2}42, 43$/m)
    const { items } = JSON.parse((await run('message', 'reactions', '-t', '42', '--message-id', '7', '--json')).out) as { items: object[] }
    assert.deepEqual(items, [{ emoji: '👍', count: 2, people: ['42', '43'] }])
  })

  test('deliveries: listed, shown with what to do, tried again', async () => {
    const error = { message: 'Telegram gave no answer.', hint: 'Check whether it arrived.' }
    const losses = [{ what: 'a table', from: 'table', to: 'text', why: 'it has none' }]
    messaging.kept.set('dlv_u', makeDelivery({ id: 'dlv_u', state: 'unknown', receipts: [], error, losses }))
    assert.match((await run('deliveries', 'list', '--state', 'unknown')).out, /dlv_u +not confirmed +telegram:42/)
    const details = await run('deliveries', 'show', 'dlv_u')
    assert.match(
      details.out,
      /Not confirmed: .* did not confirm the delivery\.[\s\S]*Telegram gave no answer\.[\s\S]*a table: table → text/,
    )
    assert.match(details.out, /Check whether it arrived/)
    assert.match((await run('deliveries', 'confirm', 'dlv_u')).out, /Confirmed/)
    assert.match((await run('deliveries', 'retry', 'dlv_u')).out, /Retrying/)
    assert.match((await run('deliveries', 'dismiss', 'dlv_u')).out, /Dismissed/)
    assert.match((await run('deliveries', 'list', '--state', 'dismissed')).out, /dlv_u +dismissed/)
    assert.equal((await run('deliveries', 'show', 'dlv_x')).code, 1)
  })

  test('requests: listed with their commands, accepted, declined, blocked by code, unblocked', async () => {
    messaging.people.push(makePairing(), makePairing({ address: '43' }, '654321', 'Evil\u001b[2J'))
    const listed = await run('requests', 'list')
    assert.match(listed.out, /Mira wants to write to you on telegram[\s\S]*parley requests accept 123456/)
    assert.equal(listed.out.includes('\u001b[2J'), false)
    assert.match(listed.out, new RegExp(`“${makePairing().pairing?.text}”`))
    const chinese = await cli.with({ env: { ...env, LANG: 'zh_CN.UTF-8' } }, 'requests', 'list')
    assert.match(chinese.out, /配对码是 123456[^]*接受：parley requests accept 123456\n +或婉拒：parley requests decline/)
    assert.match((await run('requests', 'accept', '123456')).out, /Accepted telegram:42/)
    assert.match((await run('requests', 'block', '654321')).out, /Blocked telegram:43/)
    assert.match((await run('requests', 'decline', '654321')).out, /Declined the request from telegram:43/)
    assert.match((await run('requests', 'unblock', 'telegram:43')).out, /Unblocked telegram:43/)
    const wrong = await run('requests', 'accept', '000000')
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /000000/)
    assert.match((await run('requests', 'list')).err, /No requests are waiting/)
  })

  test('the inbox names each thing and its next command', async () => {
    messaging.people.push(makePairing())
    const stray = { id: 'in_1', channel: 'telegram', address: '9', from: { id: '9', name: 'Bo' }, text: 'hi', why: 'no agent', at: 1 }
    messaging.strays.push(stray)
    messaging.kept.set('dlv_f', makeDelivery({ id: 'dlv_f', state: 'failed', receipts: [] }))
    const { out } = await run('inbox', 'list')
    for (const words of [
      /requests accept 123456/,
      /Unclaimed message from Bo on telegram[\s\S]*message send -t telegram:9[\s\S]*inbox dismiss telegram\/in_1/,
      /deliveries retry dlv_f/,
    ])
      assert.match(out, words)
    assert.equal((JSON.parse((await run('inbox', 'list', '--json')).out) as Inbox).count, 3)
    const watch = cli.start(['inbox', 'watch', '--json'], { env })
    await watch.until('dlv_f')
    await watch.end()
    const both = await run('inbox', 'dismiss', 'in_1')
    assert.equal(both.code, 0, both.err)
    assert.match((await run('inbox', 'dismiss', 'telegram/in_1')).err, /in_1/)
    messaging.strays.push(stray, { ...stray, channel: 'other', from: { id: '9', name: 'Cy' } })
    assert.match((await run('inbox', 'dismiss', 'in_1')).err, /Several[\s\S]*other\/in_1/)
    assert.equal((await run('inbox', 'dismiss', 'other/in_1')).code, 0)
    assert.equal((await run('inbox', 'dismiss', 'dlv_f')).code, 0)
    assert.deepEqual([messaging.strays.map(({ channel }) => channel), messaging.kept.get('dlv_f')?.state], [['telegram'], 'dismissed'])
    messaging.strays.length = 0
  })

  test('channels: listed and tested', async () => {
    assert.match((await run('channels', 'list')).out, /telegram +connected +@ada_bot/)
    const tested = await run('channels', 'test', 'telegram', '-t', '42')
    assert.equal(tested.out, 'This is @ada_bot.\nSent to telegram:42 (message 7).\n')
  })
})

describe('connecting Telegram', () => {
  const cli = cliFolder()
  let telegram: TelegramEmulator
  before(async () => {
    telegram = await telegramEmulator()
  })
  after(async () => {
    await cli.close()
    await telegram.close()
  })
  const config = (): string => readFileSync(join(cli.dir, 'parley.yaml'), 'utf8')
  const secrets = join(cli.dir, '.parley', 'secrets.env')

  test('a wrong token is not written down, and never shown', async () => {
    const token = '123456:wrong-token'
    const result = await cli.with({ input: token }, 'channels', 'add', 'telegram', '--token-file', '-', '--api-root', telegram.url)
    assert.equal(result.code, 1)
    assert.match(result.err, /Telegram refuses the token \(.*(Unauthorized|Not Found)[\s\S]*parley channels add telegram/)
    assert.equal(result.err.includes(token), false)
    assert.equal(existsSync(join(cli.dir, 'parley.yaml')), false)
    assert.equal(existsSync(secrets), false)
  })

  test('a network that is not there says nothing about the token', async () => {
    const flags = ['--token-file', '-', '--api-root', 'http://127.0.0.1:1']
    const result = await cli.with({ input: telegram.token }, 'channels', 'add', 'telegram', ...flags)
    assert.equal(result.code, 1)
    assert.match(result.err, /could not be reached: Telegram cannot be reached[\s\S]*network/)
    assert.doesNotMatch(result.err, /BotFather/)
    assert.equal(existsSync(secrets), false)
  })

  test('without a terminal the flag is named', async () => {
    const result = await cli.run('channels', 'add', 'telegram')
    assert.equal(result.code, 2)
    assert.match(result.err, /--token-env TELEGRAM_BOT_TOKEN/)
  })

  test('a good token is checked, kept apart, and a test message is sent', async () => {
    const chat = telegram.privateChat(telegram.person())
    const flags = ['--token-file', '-', '--api-root', telegram.url, '--test-target', String(chat)]
    const result = await cli.with({ input: `${telegram.token}\n` }, 'channels', 'add', 'telegram', ...flags)
    assert.equal(result.code, 0, result.err)
    assert.match(
      result.out,
      new RegExp(`This is @${telegram.me.username}\\.\nChannel "telegram" is set in \\./parley\\.yaml\\.\nTest message sent`),
    )
    assert.match(config(), /token: \$\{TELEGRAM_TOKEN\}/)
    assert.equal(config().includes(telegram.token), false)
    assert.equal(readFileSync(secrets, 'utf8'), `TELEGRAM_TOKEN=${telegram.token}\n`)
    assert.equal(statSync(secrets).mode & 0o777, 0o600)
    assert.match(telegram.messages(chat).at(-1)?.text ?? '', /test message/)
    assert.deepEqual(telegram.failures, [])
  })

  test('from a variable, under a name of its own; listed without a server; removed with its secret', async () => {
    const env = { TELEGRAM_BOT_TOKEN: telegram.token }
    const added = await cli.with({ env }, 'channels', 'add', 'telegram', '--name', 'work', '--api-root', telegram.url, '--json')
    assert.equal((JSON.parse(added.out) as { account: string }).account, `@${telegram.me.username}`)
    assert.match(config(), /work:\n +kind: telegram\n +token: \$\{WORK_TOKEN\}/)
    assert.match(readFileSync(secrets, 'utf8'), /^WORK_TOKEN=/m, 'a server without that variable finds it')
    const { items } = await cli.json<{ items: { name: string; state: string }[] }>('channels', 'list')
    assert.deepEqual(
      items.map(({ name, state }) => [name, state]),
      [
        ['telegram', 'off'],
        ['work', 'off'],
      ],
    )
    assert.match((await cli.run('channels', 'remove', 'telegram')).out, /was removed from/)
    assert.doesNotMatch(readFileSync(secrets, 'utf8'), /TELEGRAM_TOKEN/)
    assert.equal((await cli.run('channels', 'remove', 'telegram')).code, 2)
    assert.match(config(), /work:/)
  })

  test('a named variable is only referred to, and the server needs it too', async () => {
    const flags = ['--name', 'work', '--token-env', 'OTHER_TOKEN', '--api-root', telegram.url]
    const added = await cli.with({ env: { OTHER_TOKEN: telegram.token } }, 'channels', 'add', 'telegram', ...flags)
    assert.match(added.out, /Channel "work" was already in \.\/parley\.yaml: its token was replaced\./)
    assert.match(added.err, /! The server needs OTHER_TOKEN too/)
    assert.match(config(), /token: \$\{OTHER_TOKEN\}/)
    const listed = await cli.run('channels', 'list')
    assert.match(listed.out, /^✗ \.\/parley\.yaml:\d+: channels\.work\.token: the environment variable OTHER_TOKEN is not set\n$/)
    assert.match(listed.err, /Fix that line/)
    const examined = await cli.run('doctor')
    assert.match(
      examined.out,
      /OTHER_TOKEN is not set\n +→ Set the variable where the server runs, or: parley channels add <platform> --name work\n/,
    )
    assert.doesNotMatch(listed.err, /No chat app/)
    assert.equal((await cli.run('channels', 'remove', 'work')).code, 0)
    assert.doesNotMatch(config(), /channels/)
  })
})
