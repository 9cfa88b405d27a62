import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './accessibility.ts'
import { agentFile } from '../fixtures/agent-file.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, messages, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const yaml = `team:
  members:
    notes:
      runtime: scripted
      module: ${agentFile('notes')}
      diligence-push-max: 2
`
const server = await pageServer({ fast: true, config: yaml })

test('the notes an agent keeps are shown to people, live and after a reload', async () => {
  const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Notes' })) as { id: string }
  const ada = await visitor(browser, server, `/c/${id}`, { viewport: { width: 360, height: 740 } })
  const { page } = ada
  await page.locator('#composer').fill('go')
  await page.keyboard.press('Enter')
  const notes = page.getByText('2 agent notes')
  await notes.waitFor()
  await notes.click()
  await page.getByText('The reader likes **old maps**').waitFor()
  await page.getByText('读者住在上海').waitFor()
  await assertAccessible(page, 'the mind')
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/mind.png` })
  await page.reload()
  await notes.waitFor()
  assertNoFaults(ada)
})

for (const [locale, colorScheme, calls, tokens] of [
  ['en-US', 'light', /model calls?$/, /950 tokens in, 1 out/],
  ['zh-CN', 'dark', /次模型调用$/, /输入 950，输出 1 个词元/],
] as const)
  test(`the panel lists the model calls of the last turn (${locale})`, async () => {
    const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Calls', text: 'go' })) as { id: string }
    const ada = await visitor(browser, server, `/c/${id}`, { viewport: { width: 1280, height: 800 }, locale, colorScheme })
    const { page } = ada
    await page.getByText(calls).click()
    await page.getByText(tokens).first().waitFor()
    await assertAccessible(page, `model calls ${locale}`)
    if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/calls-${locale}.png` })
    assertNoFaults(ada)
    await ada.context.close()
  })

const languages = {
  en: { menu: 'Dialog menu', fresh: 'Fresh start', ask: 'Start fresh?', left: 'Pushes: 0 left', refill: 'Refill', push: 'Push the agent when it stops' },
  zh: { menu: '对话菜单', fresh: '重新开始', ask: '重新开始？', left: '催促：剩余 0 次', refill: '补满', push: '代理停下时催促它' },
} // prettier-ignore

type Events = { items: { type: string; data: { change?: string } }[] }

const changes = async (dialog: string): Promise<unknown[]> => {
  const { items } = (await server.call('GET', `/v1/events?stream=${dialog}&limit=500`)) as Events
  return items.flatMap(({ type, data }) => (type === 'pushes.changed' ? [data.change] : type === 'course.requested' ? ['fresh'] : []))
}

for (const [language, width] of [
  ['en', 360],
  ['zh', 360],
  ['en', 1280],
  ['zh', 1280],
] as const)
  test(`a person refills pushes, turns them off and starts fresh, by keyboard (${language}, ${width} px)`, async () => {
    const texts = languages[language]
    const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Pushes', text: 'go' })) as { id: string }
    const options = { viewport: { width, height: 740 }, locale: language === 'zh' ? 'zh-CN' : 'en-US', hasTouch: width === 360 }
    const ada = await visitor(browser, server, `/c/${id}`, options)
    const { page } = ada
    const shot = async (what: string): Promise<void> => {
      const folder = process.env['PARLEY_SHOTS']
      if (folder) await page.screenshot({ path: `${folder}/${what}-${language}-${width}.png` })
    }
    await page.getByText(texts.left).waitFor()
    const replies = (await messages(page)).length
    await shot('pushes-left')
    await page.getByRole('button', { name: texts.refill }).click()
    // Two new pushes, each with a reply, and none is left again.
    await reads(async () => (await messages(page)).length, replies + 2)
    await page.getByText(texts.left).waitFor()

    const more = page.getByRole('button', { name: texts.menu })
    await more.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('dialog', { name: texts.menu })
    const push = menu.getByRole('checkbox', { name: texts.push })
    await push.waitFor()
    await assertAccessible(page, 'the menu')
    await shot('dialog-menu')
    await push.focus()
    await page.keyboard.press('Space')
    await reads(() => push.isChecked(), false)
    await page.getByText(texts.left).waitFor({ state: 'detached' })
    await menu.getByRole('button', { name: `${texts.fresh}…` }).focus()
    await page.keyboard.press('Enter')
    const ask = page.getByRole('dialog', { name: texts.ask })
    await ask.waitFor()
    await assertAccessible(page, 'the confirmation')
    await shot('fresh-start')
    await page.keyboard.press('Escape')
    await ask.waitFor({ state: 'hidden' })
    assert.deepEqual(await changes(id), ['refill', 'off'], 'Escape changes nothing')
    await page.keyboard.press('Enter')
    await menu.getByRole('button', { name: `${texts.fresh}…` }).click()
    await ask.getByRole('button', { name: texts.fresh, exact: true }).click()
    await ask.waitFor({ state: 'hidden' })
    assert.deepEqual(await changes(id), ['refill', 'off', 'fresh'])
    assertNoFaults(ada)
    await ada.context.close()
  })

test('a dialog that failed because its context was full offers a fresh start', async () => {
  const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Full', text: 'overflow' })) as { id: string }
  const ada = await visitor(browser, server, `/c/${id}`, { viewport: { width: 360, height: 740 } })
  const { page } = ada
  const failed = page.getByRole('region', { name: 'The agent could not continue.' })
  await failed.getByRole('button', { name: 'Fresh start' }).waitFor()
  await assertAccessible(page, 'the failure')
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/context-full.png` })
  await failed.getByRole('button', { name: 'Fresh start' }).click()
  await page.getByRole('dialog', { name: 'Start fresh?' }).getByRole('button', { name: 'Fresh start' }).click()
  await page.locator('#log').getByText('I have two notes.').first().waitFor()
  assert.deepEqual(await changes(id), ['fresh'])
  assertNoFaults(ada)
})

test('a failed dialog in the inbox is retried, opened or given up', async () => {
  const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Broken', text: 'fail' })) as { id: string }
  const ada = await visitor(browser, server, '/o', { viewport: { width: 360, height: 740 } })
  const { page } = ada
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Broken' })
  assert.equal(await row.getByRole('link', { name: 'Open' }).getAttribute('href'), `/c/${id}`)
  await assertAccessible(page, 'the failed dialog')
  await row.getByRole('button', { name: 'Retry: Broken' }).click()
  await row.getByText('Retrying').waitFor()
  await page.reload()
  await row.getByRole('button', { name: 'Give up: Broken' }).click()
  await row.getByText('Given up').waitFor()
  const { items } = (await server.call('GET', '/v1/inbox')) as { items: { kind: string; failure?: { dialog: string } }[] }
  assert.deepEqual(
    items.filter(({ failure }) => failure?.dialog === id),
    [],
  )
  assertNoFaults(ada)
})

test('words typed while a question is open are offered as its answer', async () => {
  const { id } = (await server.call('POST', '/v1/dialogs', { title: 'Colours', text: 'ask' })) as { id: string }
  const ada = await visitor(browser, server, `/c/${id}`, { viewport: { width: 360, height: 740 } })
  const { page } = ada
  await page.getByText('Which colour?').first().waitFor()
  await page.locator('#composer').fill('red')
  await page.getByRole('button', { name: 'Send as the answer to “Which colour?”' }).click()
  await page.locator('#log').getByText('You chose red.').first().waitFor()
  assert.equal(await page.locator('#composer').inputValue(), '')
  assertNoFaults(ada)
})
