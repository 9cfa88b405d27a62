import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { plainRenderer } from '../../src/chats/channels/plain/render.ts'
import { telegramLimits } from '../../src/chats/channels/telegram/limits.ts'
import { telegramRenderer } from '../../src/chats/channels/telegram/render.ts'
import { readHtml } from '../../src/chats/channels/telegram/test/read-html.ts'
import { webRenderer } from '../../src/chats/channels/web/render.ts'
import type { PlatformRequest } from '../../src/ports/channel.ts'
import { type Presented, present } from '../../src/chats/presentation/present.ts'
import { previewTokens } from '../../src/chats/presentation/preview-tokens.ts'
import { goldenPage } from './golden.ts'
import { cases } from './messages.ts'
import { platformSchema } from './platform-schema.ts'

/** UPDATE_GOLDEN=1 writes the pages again. Review the difference. */
const update = process.env['UPDATE_GOLDEN'] === '1'
const golden = fileURLToPath(new URL('golden/', import.meta.url))
const renderers = [telegramRenderer, webRenderer, plainRenderer]
/** Messages of a size at or just below a limit, where a message of one more goes beyond it. They look alike and have no page. */
const fitting = cases.filter(({ name }) => {
  const [, family = '', size = ''] = /^(.*)-(\d+)$/.exec(name) ?? []
  const hasSize = (number: number): boolean => cases.some((one) => one.name === `${family}-${number}`)
  return hasSize(Number(size) + 1)
})
/** Messages whose text or label is too long. One of each kind has a page; the rest differ from it in their letters alone. */
const tooLong = cases.filter(
  ({ name }) => /^(edge-(text|label|escaped)|script-\w+-long)/.test(name) && !fitting.some((one) => one.name === name),
)
const withPage = ['edge-text-letters-4097', 'edge-label-families-6']
/** Telegram has a page for every other message. The other two have one for each thing they show in their own way. */
const pages: Readonly<Record<string, readonly string[]>> = {
  telegram: cases.filter((one) => withPage.includes(one.name) || !(fitting.includes(one) || tooLong.includes(one))).map(({ name }) => name),
  web: ['control-select-and-buttons', 'media-mixed', 'shape-chart', 'shape-hostile', 'shape-text-title-blocks'],
  plain: ['control-select-and-buttons', 'media-mixed', 'shape-chart', 'shape-table', 'shape-text-title-blocks'],
}
const address: Record<string, string> = { telegram: '42', web: 'd_1', plain: 'out' }
const presentCase = (channel: (typeof renderers)[number], at: number): Presented =>
  present(cases[at]?.message ?? {}, channel, { address: address[channel.name] ?? '' }, previewTokens)

test('there are enough messages, each with its own name', (t) => {
  t.diagnostic(`${cases.length} messages × ${renderers.length} channels`)
  assert.ok(cases.length >= 60, `only ${cases.length}`)
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length)
})

for (const channel of renderers) {
  test(`${channel.name}: messages look as their golden pages show`, () => {
    const folder = join(golden, channel.name)
    const names = pages[channel.name] ?? []
    if (update) rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const changed = names.filter((name) => {
      const page = goldenPage(
        presentCase(
          channel,
          cases.findIndex((one) => one.name === name),
        ),
      )
      const file = join(folder, `${name}.txt`)
      if (update) writeFileSync(file, page)
      return !existsSync(file) || readFileSync(file, 'utf8') !== page
    })
    assert.deepEqual(changed, [], 'review the difference, then set UPDATE_GOLDEN=1')
    assert.deepEqual(readdirSync(folder).toSorted(), names.map((name) => `${name}.txt`).toSorted(), 'a page without a message')
  })

  test(`${channel.name}: a message with something to see gives a request or a loss`, () => {
    const lost = cases.flatMap(({ name }, at) => {
      const { requests, losses } = presentCase(channel, at)
      return requests.length > 0 || losses.length > 0 || name === 'shape-empty' ? [] : [name]
    })
    assert.deepEqual(lost, [])
  })
}

/** The texts of a message that a person reads. */
const texts = (value: unknown): string[] =>
  Object.entries(value ?? {}).flatMap(([key, one]) =>
    typeof one === 'string' ? (['text', 'title', 'label', 'alt', 'caption'].includes(key) ? [one] : []) : texts(one),
  )

test('telegram: at a limit and one below it, a message is one request that holds all its text', (t) => {
  assert.ok(fitting.length >= 30 && fitting.length % 2 === 0, `${fitting.length} messages`)
  t.diagnostic(`${fitting.length} messages`)
  for (const one of fitting) {
    const { requests, losses } = presentCase(telegramRenderer, cases.indexOf(one))
    assert.deepEqual([requests.length, losses], [1, []], one.name)
    const sent = JSON.stringify(requests[0]?.body)
    for (const text of texts(one.message)) assert.ok(sent.includes(text), `${one.name} lacks ${text.slice(0, 20)}`)
  }
})

test('telegram: beyond a limit the text goes on in another request, and a shortened label is listed in full', (t) => {
  const letters = (text: string): string => text.replaceAll(/\s/g, '')
  assert.ok(tooLong.length >= 10, `${tooLong.length} messages`)
  t.diagnostic(`${tooLong.length} messages`)
  for (const { name, message } of tooLong) {
    const { requests, losses } = presentCase(
      telegramRenderer,
      cases.findIndex((one) => one.name === name),
    )
    const sent = requests.map(({ body }) => readHtml((body as Words).text ?? '').text)
    for (const text of texts(message)) assert.ok(letters(sent.join('')).includes(letters(text)), `${name} lacks ${text.slice(0, 20)}`)
    const splits = requests.length > 1 ? [`one message → ${requests.length} messages`] : []
    const cuts = name.startsWith('edge-label') ? ['its whole label → a shortened label, listed in full'] : []
    assert.deepEqual(
      losses.map(({ from, to }) => `${from} → ${to}`),
      [...splits, ...cuts],
      name,
    )
  }
})

const telegramRequests = (): { name: string; request: PlatformRequest }[] =>
  cases.flatMap(({ name, message }, at) => [
    ...presentCase(telegramRenderer, at).requests.map((request) => ({ name, request })),
    // The same message, put in place of one that is there.
    ...present(
      message,
      telegramRenderer,
      { address: '42:topic:7', edit: ['1001'], silent: true, replyTo: '5' },
      previewTokens,
    ).requests.map((request) => ({ name: `${name} (edit)`, request })),
    // Other words below the same medium, and the same without formatting.
    ...present(
      message,
      telegramRenderer,
      { address: '42', edit: ['1001'], showing: [message.media?.[0]?.url ?? null], plain: true },
      previewTokens,
    ).requests.map((request) => ({ name: `${name} (plain edit)`, request })),
  ])

test('every Telegram request is one that the platform accepts', (t) => {
  const schema = platformSchema('telegram')
  const requests = telegramRequests()
  if (schema) {
    const faults = requests.flatMap(({ name, request }) =>
      schema.validate(request.operation, request.body).map((fault) => `${name}: ${request.operation} ${fault}`),
    )
    assert.deepEqual(faults, [])
    assert.notDeepEqual(schema.validate('sendMessage', { chat_id: 1 }), [], 'a wrong request must not pass')
    t.diagnostic(`${requests.length} requests valid against the platform’s contract`)
  } else {
    t.diagnostic('the platform contracts (../shared/platforms) are not here: only our own limits are checked')
  }
})

test('every Telegram request is within the limits that no schema knows', (t) => {
  const requests = telegramRequests()
  const faults = requests.flatMap(({ name, request }) => limitFaults(request).map((fault) => `${name}: ${fault}`))
  t.diagnostic(`${requests.length} requests`)
  assert.ok(requests.length > 150)
  assert.deepEqual(faults, [])
})

type Words = { text?: string; caption?: string; parse_mode?: string }
type Markup = { inline_keyboard: { callback_data?: string }[][] }

function limitFaults({ body }: PlatformRequest): string[] {
  const { reply_markup: markup, media, ...words } = body as Words & { reply_markup?: Markup; media?: Words }
  const { text, parse_mode: mode } = words
  const faults: string[] = []
  const check = (what: string, is: number, most: number): void => void (is > most && faults.push(`${what} ${is} > ${most}`))
  if (text !== undefined) {
    const visible = mode === undefined ? { text, entities: 0 } : readHtml(text)
    check('text', visible.text.length, telegramLimits.textUnits)
    check('entities', visible.entities, telegramLimits.entities)
    if (visible.text.trim() === '') faults.push('nothing is seen')
  }
  for (const { caption, parse_mode } of [words, media ?? {}])
    if (caption !== undefined)
      check('caption', (parse_mode === undefined ? caption : readHtml(caption).text).length, telegramLimits.captionUnits)
  if (markup) {
    const keys = markup.inline_keyboard.flat()
    check('buttons', keys.length, telegramLimits.buttons)
    for (const row of markup.inline_keyboard) check('row', row.length, telegramLimits.buttonsPerRow)
    check('keyboard', Buffer.byteLength(JSON.stringify(markup)), telegramLimits.markupBytes)
    for (const key of keys) check('data', Buffer.byteLength(key.callback_data ?? ''), telegramLimits.callbackDataBytes)
  }
  return faults
}
