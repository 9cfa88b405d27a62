import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePolicy } from '../authority/test/samples.ts'
import { silentLog } from '../ports/log.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { mailTargets, type MailSettings } from './mail-targets.ts'
import type { NoticeText } from './notice-text.ts'
import { smtpServer } from './test/smtp-server.ts'

const policy = makePolicy({ people: { mia: { role: 'owner' }, bob: { role: 'member' } } })
const text: NoticeText = { title: 'ada 向您提问\r\nBcc: eve@example.org', body: 'Welche Farbe?\n.\nred', path: 'q/q_1', buttons: [] }

function open(port: number, more: Partial<MailSettings> = {}, pageUrl: string | null = 'https://parley.example.org/') {
  const settings: MailSettings = {
    host: '127.0.0.1',
    port,
    security: 'none',
    from: 'parley@example.org',
    to: { mia: 'mia@example.org', gone: 'gone@example.org' },
    language: 'en',
    shows: 'words',
    quiet: null,
    timeZone: 'UTC',
    ...more,
  }
  const { signal } = new AbortController()
  return mailTargets({
    settings: () => settings,
    policy: () => policy,
    pageUrl: () => pageUrl,
    signal,
    clock: simulatedClock(),
    log: silentLog,
  })
}

test('a mail links to the question, has nothing that acts, and its headers are those of the server alone', async () => {
  await using server = await smtpServer()
  const target = await open(server.port, { user: 'parley', password: 'secret' }).open('mail:mia')
  assert.deepEqual(target?.reader, { id: 'person:mia', name: 'mia', role: 'owner' })
  assert.deepEqual(await target?.send(text, 'q_1'), { how: 'sent' })
  const [mail] = server.taken
  assert.deepEqual(mail?.lines, [
    'EHLO parley.invalid',
    `AUTH PLAIN ${Buffer.from('\0parley\0secret').toString('base64')}`,
    'MAIL FROM:<parley@example.org>',
    'RCPT TO:<mia@example.org>',
    'DATA',
    'QUIT',
  ])
  assert.equal(
    mail?.text,
    'Welche Farbe?\n.\nred\n\nRead and answer it here:\nhttps://parley.example.org/q/q_1\n\n--\nThis address does not read replies.\n',
  )
  const fields = mail?.headers.replaceAll('\r\n ', '').split('\r\n') ?? []
  assert.deepEqual(
    fields.map((field) => field.split(':', 1)[0]),
    ['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
  )
  const subject = fields[2]?.match(/(?<=\?B\?)[^?]+/g)?.map((part) => Buffer.from(part, 'base64').toString())
  assert.equal(subject?.join(''), 'ada 向您提问 Bcc: eve@example.org')
})

test('a person who is no longer listed is told nothing that is for someone else', async () => {
  const targets = open(9)
  assert.deepEqual(await targets.list(), ['mail:mia', 'mail:gone'])
  assert.equal((await targets.open('mail:gone'))?.reader.role, 'guest')
  assert.equal(await targets.open('mail:bob'), null)
})

test('what may work later is tried again, and what never will is not', async () => {
  await using server = await smtpServer()
  const send = async (more?: Partial<MailSettings>) => (await open(server.port, more).open('mail:mia'))?.send(text, 'q_1')
  server.refuse['RCPT'] = '450 try later'
  assert.deepEqual(await send(), { how: 'retry', why: 'the server says: 450 try later', afterMs: null })
  server.refuse['RCPT'] = '550 no such mailbox'
  assert.deepEqual(await send(), { how: 'refused', why: 'the server says: 550 no such mailbox' })
  assert.deepEqual(await send({ security: 'starttls' }), { how: 'refused', why: 'the server offers no STARTTLS' })
  assert.equal((await (await open(1).open('mail:mia'))?.send(text, 'q_1'))?.how, 'retry')
  assert.deepEqual(server.taken, [])
})

test('without an address of the page a mail says how to get a link', async () => {
  await using server = await smtpServer()
  const target = await open(server.port, {}, null).open('mail:mia')
  await target?.send(text, 'q_1')
  assert.match(server.taken[0]?.text ?? '', /server\.origins/)
})
