import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { type TelegramEmulator, telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { assertAccessible } from './accessibility.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, type Visitor, visitor } from './visitor.ts'

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const browser = await launchBrowser()
const telegram = await telegramEmulator()
const yaml = `team:
  members:
    chat: ${scripted('chat')}
channels:
  telegram: { token: ${JSON.stringify(telegram.token)}, apiRoot: ${telegram.url} }
`
const server = await pageServer({ fast: true, config: yaml })
after(() => telegram.close())

type Person = ReturnType<TelegramEmulator['person']>

/** An unknown sender writes; resolves with the code they received. */
async function knock(name: string): Promise<{ chat: number; code: string; person: Person }> {
  const person = telegram.person({ first_name: name, language_code: 'en' })
  const chat = telegram.privateChat(person)
  telegram.say(chat, person, `hello, ${name} here`)
  const codeMessage = await telegram.until(() => telegram.messages(chat).find(({ isMine, text }) => isMine && /\d{6}/.test(text)), 'a code')
  return { chat, code: /\d{6}/.exec(codeMessage.text)?.[0] ?? '', person }
}

const row = (page: Page, text: string): Locator => page.getByRole('main').getByRole('listitem').filter({ hasText: text })

async function check(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}.png` })
}

async function leave(one: Visitor): Promise<void> {
  assertNoFaults(one)
  await one.context.close()
}

suite('what waits for a person besides questions', () => {
  test('a new sender is accepted on the page and answered in the chat', async () => {
    const olga = await visitor(browser, server, '/o', wide)
    const { page } = olga
    await page.getByText('You’re all caught up').waitFor()
    await check(page, 'inbox empty')
    const { chat, code } = await knock('Mira')
    const mira = row(page, 'Mira wants to write to you')
    await mira.getByText(code).waitFor()
    await mira.getByText('Telegram').waitFor()
    await becomes(page, 'document.title', '(1) Parley')
    await page.getByRole('link', { name: 'Inbox, 1 waiting for you' }).waitFor()
    await check(page, 'inbox pairing')
    await mira.getByRole('button', { name: 'Accept: Mira' }).click()
    await mira.getByText('Mira can write to you now').waitFor()
    await page.getByRole('status').getByText('Mira can write to you now').waitFor()
    await telegram.until(() => telegram.messages(chat).find(({ text }) => text.startsWith('Heard: hello, Mira here')), 'the reply')
    await becomes(page, 'document.title', 'Parley')
    await mira.waitFor({ state: 'detached' })
    await page.getByText('You’re all caught up').waitFor()
    await leave(olga)
  })

  test('not now and block, by keyboard; what another one decided greys out', async () => {
    const [tom, uma] = [await knock('Tom'), await knock('Uma')]
    const olga = await visitor(browser, server, '/o')
    const { page } = olga
    await row(page, 'Tom wants').getByRole('button', { name: 'Decline: Tom' }).focus()
    await page.keyboard.press('Enter')
    await row(page, 'Tom wants').getByText('Declined the request from Tom').waitFor()
    await row(page, 'Uma wants').getByRole('button', { name: 'Block: Uma' }).focus()
    await page.keyboard.press('Space')
    await row(page, 'Uma wants').getByText('Blocked Uma').waitFor()
    const states = (await server.call('GET', '/v1/pairings')) as { items: { address: string; state: string }[] }
    const getState = (chat: number): string | undefined => states.items.find(({ address }) => address === String(chat))?.state
    assert.deepEqual([getState(tom.chat), getState(uma.chat)], ['declined', 'blocked'])
    const eve = await knock('Eve')
    await row(page, 'Eve wants').getByText(eve.code).waitFor()
    await server.call('POST', '/v1/pairings/accept', { code: eve.code })
    await row(page, 'Eve wants').getByText('Decided').waitFor()
    await leave(olga)
  })

  test('a message that got stuck says what, where and why, and is tried again', async () => {
    const { chat } = await knock('Finn')
    telegram.block(chat)
    await server.call('POST', '/v1/messages', { target: String(chat), message: '**Lunch** is ready', waitMs: 10_000 })
    const olga = await visitor(browser, server, '/o', { ...phone, locale: 'zh-CN' })
    const { page } = olga
    const stuck = row(page, '这条消息没有送达')
    await stuck.getByText('Lunch is ready').waitFor()
    await check(page, 'inbox stuck zh phone')
    telegram.unblock(chat)
    await stuck.getByRole('button', { name: '重试: Lunch is ready' }).tap()
    await stuck.getByText('已重新发送').waitFor()
    await telegram.until(() => telegram.messages(chat).find(({ text }) => text === 'Lunch is ready'), 'the message')
    await leave(olga)
  })

  test('stuck deliveries and unclaimed messages are dismissed and leave the list', async () => {
    const { chat, person } = await knock('Hal')
    const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Water the plants', value: 'water' }] }] }
    await server.call('POST', '/v1/messages', { target: String(chat), message: 'A chore', presentation, waitMs: 10_000 })
    const prompt = await telegram.until(() => telegram.messages(chat).find(({ text }) => text.includes('A chore')), 'the chore')
    telegram.tap(chat, person, prompt.id, 'Water the plants')
    telegram.block(chat)
    await server.call('POST', '/v1/messages', { target: String(chat), message: 'Never mind', waitMs: 10_000 })
    const olga = await visitor(browser, server, '/o', wide)
    const { page } = olga
    await row(page, 'Unclaimed message from Hal').getByRole('button', { name: 'Dismiss: Water the plants' }).click()
    await row(page, 'Unclaimed message from Hal').getByText('Dismissed', { exact: true }).waitFor()
    const stuck = row(page, 'This message did not arrive').filter({ hasText: 'Never mind' })
    await check(page, 'inbox dismiss')
    await stuck.getByRole('button', { name: 'Dismiss: Never mind' }).click()
    await page.getByRole('status').getByText('Dismissed').waitFor()
    await stuck.waitFor({ state: 'detached' })
    const { items } = (await server.call('GET', '/v1/inbox')) as { items: { kind: string }[] }
    assert.deepEqual([...new Set(items.map(({ kind }) => kind))], ['pairing'])
    await leave(olga)
  })

  test('the chat apps: which are connected, what was sent, and what looks different there', async () => {
    const { chat } = await knock('Gus')
    const presentation = {
      title: 'Plan',
      blocks: [
        { type: 'text', text: 'Two ways' },
        { type: 'divider' },
        { type: 'buttons', buttons: [{ label: 'Go', value: 'go', style: 'primary' }] },
      ],
    }
    await server.call('POST', '/v1/messages', { target: String(chat), presentation, waitMs: 10_000 })
    const olga = await visitor(browser, server, '/o', wide)
    const { page } = olga
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Chat apps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Chat apps' }).waitFor()
    const account = row(page, '@parley_emulated_bot')
    await account.getByText('Connected').waitFor()
    const delivery = row(page, 'Two ways').first()
    await delivery.getByText('Sent', { exact: true }).waitFor()
    await delivery.getByText(/shown differently/).click()
    await delivery.getByText('→').first().waitFor()
    await page.getByText('parley channels add telegram').waitFor()
    await check(page, 'chats')
    const zh = await visitor(browser, server, '/chats', { ...phone, locale: 'zh-CN', colorScheme: 'dark' })
    await zh.page.getByRole('heading', { level: 1, name: '聊天应用' }).waitFor()
    await row(zh.page, 'Two ways').first().waitFor()
    await check(zh.page, 'chats zh dark phone')
    await leave(zh)
    await leave(olga)
  })
})
