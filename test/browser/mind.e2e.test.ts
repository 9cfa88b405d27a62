import { writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { type PageServer, pageServer } from './page-server.ts'
import { assertNoFaults, visitor } from './visitor.ts'

let browser: Browser
let server: PageServer

before(async () => {
  browser = await launchBrowser()
  const module = fileURLToPath(new URL('../fixtures/notes-agent.ts', import.meta.url))
  const yaml = `team:
  members:
    notes:
      runtime: scripted
      module: ${JSON.stringify(module)}
`
  server = await pageServer({ fast: true, config: (file) => writeFileSync(file, yaml) })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

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
