import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()

/** Says which model it was asked for. */
const provider = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString()))
  request.on('end', () => {
    const { model = '' } = (body === '' ? {} : JSON.parse(body)) as { model?: string }
    const chunk = (delta: object, end: string | null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${chunk({ role: 'assistant', content: `This is ${model}.` }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
})
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
after(() => provider.close())
const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
const model = (name: string): string => `{ provider: openai-compatible, baseUrl: "${baseUrl}", model: ${name}, contextLength: 32000 }`

const server = await pageServer({
  fast: true,
  config: `models:
  quick: ${model('small-one')}
  deep: ${model('large-one')}
team:
  members:
    ada: { runtime: model, model: quick, models: [deep] }
`,
})

const words = {
  en: { model: 'Model', menu: 'Dialog menu', chose: 'chose the model deep', usual: 'chose the usual model', close: 'Close' },
  zh: { model: '模型', menu: '对话菜单', chose: '选择了模型 deep', usual: '选回了常用模型', close: '关闭' },
} // prettier-ignore

for (const [language, width, colorScheme] of [
  ['en', 1280, 'light'],
  ['zh', 360, 'dark'],
] as const)
  test(`the model is chosen for a new chat and changed in its menu (${language}, ${width} px)`, async () => {
    const texts = words[language]
    const ada = await visitor(browser, server, '/c/new', {
      viewport: { width, height: 800 },
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      colorScheme,
      hasTouch: width === 360,
    })
    const { page } = ada
    await page.getByLabel(texts.model, { exact: true }).selectOption('deep')
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0)
    if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/model-new-${language}.png` })
    await assertAccessible(page, 'a new chat with a choice of models')
    await page.locator('#composer').fill('Who are you?')
    await page.locator('#composer').press('Enter')
    await page.locator('#log').getByText('This is large-one.').waitFor()
    await page.locator('#log').getByText(texts.chose).waitFor()
    await page.getByRole('button', { name: texts.menu }).click()
    const menu = page.getByRole('dialog', { name: texts.menu })
    await reads(() => menu.getByLabel(texts.model, { exact: true }).inputValue(), 'deep')
    await assertAccessible(page, 'the menu with a choice of models')
    if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/model-menu-${language}.png` })
    await menu.getByLabel(texts.model, { exact: true }).selectOption('quick')
    await menu.getByRole('button', { name: texts.close }).click()
    await page.locator('#log').getByText(texts.usual).waitFor()
    await page.locator('#composer').fill('And now?')
    await page.locator('#composer').press('Enter')
    await page.locator('#log').getByText('This is small-one.').waitFor()
    assertNoFaults(ada)
    await ada.context.close()
  })
