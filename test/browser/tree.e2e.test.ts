import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { type PageServer, pageServer } from './page-server.ts'
import { seedTree } from './seed-tree.ts'
import { assertNoFaults, becomes, reads, visitor } from './visitor.ts'

type Question = { id: string; dialog: string; ask: { items: { id: string }[] } }

/** Plays the demo up to the moment the teammate asks a person. */
async function untilTeammateAsks(server: PageServer): Promise<{ root: string; side: string }> {
  const opened = (await server.call('POST', '/v1/dialogs', { text: 'a tree, please' })) as { id: string }
  let question = await nextQuestion(server, (each) => each.dialog === opened.id)
  await server.call('POST', `/v1/questions/${question.id}/answer`, { choice: 'fun' })
  question = await nextQuestion(server, (each) => each.dialog === opened.id && each.ask.items.length === 2)
  await server.call('POST', `/v1/questions/${question.id}/answer`, { answers: { pace: 'calm', topic: 'old maps' } })
  for (;;) {
    const { items } = (await server.call('GET', `/v1/dialogs/${opened.id}/tree`)) as { items: { id: string; openQuestions: number }[] }
    const side = items.find(({ id }) => id !== opened.id)
    if (side && side.openQuestions > 0) return { root: opened.id, side: side.id }
  }
}

async function nextQuestion(server: PageServer, isMeant: (question: Question) => boolean): Promise<Question> {
  for (;;) {
    const { items } = (await server.call('GET', '/v1/questions?state=open')) as { items: Question[] }
    const match = items.find(isMeant)
    if (match) return match
  }
}

const activeLine = `document.getElementById(document.getElementById('dialog-tree').getAttribute('aria-activedescendant'))?.innerText.split('\\n')[0] ?? ''`

const browser = await launchBrowser()
const demo = await pageServer({ fast: true })

test('a question of a teammate is answered in the dialog that waits for it', async () => {
  const { root } = await untilTeammateAsks(demo)
  const mia = await visitor(browser, demo, `/c/${root}`)
  const { page } = mia
  const card = page.locator('#question-card')
  await card.getByText('Researcher needs a decision').waitFor()
  // The state of the teammate once, in the bar; that of this dialog in the list only.
  assert.equal(await page.locator('main').getByText('Waiting for Researcher').count(), 0)
  assert.equal(await page.locator('main').getByText('Your turn', { exact: true }).count(), 1)
  await card.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('button', { name: '1 question is waiting for you' }).click()
  await card.locator('[data-item] button').first().click()
  await page
    .locator('[data-part="reply"]')
    .getByText(/Look for (short|long) books/)
    .waitFor()
  await card.waitFor({ state: 'detached' })
  assertNoFaults(mia)
  await mia.context.close()
})

test('by keyboard: to the side dialog and back, with what waits for me on every line', async () => {
  const { root, side } = await untilTeammateAsks(demo)
  const ada = await visitor(browser, demo, `/c/${root}`)
  const { page } = ada
  const tree = page.getByRole('tree', { name: 'Dialogs and their side dialogs' })
  const top = page.locator(`#line-${root}`)
  await top.getByText('1 question for you').waitFor({ state: 'attached' })
  await top.getByText('Waiting for Researcher').waitFor()
  await reads(() => top.getAttribute('aria-expanded'), 'false')
  await tree.focus()
  await page.keyboard.press('Home')
  await becomes(page, activeLine, 'a tree, please')
  await page.keyboard.press('ArrowRight')
  const line = page.locator(`#line-${side}`)
  await line.getByText('Your turn', { exact: true }).waitFor()
  assert.match((await line.getAttribute('aria-label')) ?? '', /@researcher/)
  await reads(() => line.getAttribute('aria-level'), '2')
  await top.getByText('1 question for you').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.type('say')
  await becomes(page, activeLine, 'Say which kind of books about “old maps” I should look for.')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(side))
  await page.locator('[data-part="assignment"]').getByText('Assignment from @ada').waitFor()
  await assertAccessible(page, 'side dialog')

  // A reload keeps the branch open and the place.
  await page.reload()
  await line.waitFor()
  await reads(() => line.getAttribute('aria-current'), 'page')

  // To the request in the dialog it came from, and back down.
  await page.locator('[data-part="assignment"]').getByRole('link', { name: 'Go to the request' }).click()
  await page.waitForURL(new RegExp(`${root}#`))
  await becomes(page, `document.activeElement?.getAttribute('data-part') ?? ''`, 'tellask')
  await page.getByRole('region', { name: 'Waiting for a teammate' }).getByText('Your turn').waitFor()
  await assertAccessible(page, 'root with a request')
  await tree.focus()
  await page.keyboard.press('ArrowLeft')
  await line.waitFor({ state: 'detached' })
  assertNoFaults(ada)
  await ada.context.close()
})

test('a question of a side dialog is answered from the list, and the work goes on', async () => {
  const { root } = await untilTeammateAsks(demo)
  const ada = await visitor(browser, demo, `/c/${root}`)
  const { page } = ada
  await page.getByRole('region', { name: 'Waiting for a teammate' }).waitFor()
  await page.getByRole('link', { name: /^Inbox/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Short books or long ones?' }).first()
  await row.getByText('Researcher').waitFor()
  await assertAccessible(page, 'inbox')
  await row.getByRole('button', { name: 'Long ones' }).click()
  await row.getByText('Answered').waitFor()
  await page.goBack()
  await page.locator('[data-part="reply"]').getByText('Look for long books').waitFor()
  await page.locator('[data-part="message"]').getByText('That was the tour').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a side dialog is given up with a note, and the waiting dialog continues', async () => {
  const { root, side } = await untilTeammateAsks(demo)
  const ada = await visitor(browser, demo, `/c/${side}`)
  const { page } = ada
  await page.getByRole('button', { name: 'Give up…' }).click()
  const ask = page.getByRole('dialog', { name: 'Give up this side dialog?' })
  await assertAccessible(page, 'giving up')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Give up…' }).click()
  await ask.getByLabel('Note (optional)').fill('maps are boring')
  await ask.getByRole('button', { name: 'Give up', exact: true }).click()
  await page.getByRole('region', { name: 'This side dialog was given up.' }).waitFor()
  await page.getByText('Given up by you: maps are boring').waitFor()
  await page.locator('#composer').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'This side dialog was given up.' }).waitFor()
  await page.locator(`#line-${side}`).getByText('Given up').waitFor()
  await page.getByRole('navigation', { name: 'Path to this side dialog' }).getByRole('link').click()
  await page.waitForURL(new RegExp(root))
  await page.locator('[data-part="reply"]').getByText('maps are boring').waitFor()
  await page.getByText('so I continue alone').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})

test('a root that waits for a teammate can be stopped; the side dialog says where it is continued', async () => {
  const { root, side } = await untilTeammateAsks(demo)
  const ada = await visitor(browser, demo, `/c/${root}`)
  const { page } = ada
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('region', { name: 'Stopped by you.' }).waitFor()
  await assertAccessible(page, 'stopped root')
  await page.goto(`${demo.url}/c/${side}`)
  const above = page.getByRole('region', { name: 'Stopped by you in a dialog above.' })
  await above.getByRole('link', { name: 'Go to the stopped dialog' }).click()
  await page.waitForURL(`**/c/${root}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('region', { name: 'Stopped by you.' }).waitFor({ state: 'detached' })
  assertNoFaults(ada)
  await ada.context.close()
})

test('stop all says how many and asks once, holds everything, and resume all lifts it', async () => {
  const server = await pageServer()
  for (const text of ['a long one', 'another long one']) await server.call('POST', '/v1/dialogs', { text })
  const ada = await visitor(browser, server, '/o')
  const { page } = ada
  await page.getByRole('treeitem').getByText('Working').first().waitFor()
  await page.getByRole('button', { name: 'Stop all' }).click()
  const stop = page.getByRole('dialog', { name: 'Stop all' })
  await stop.getByText('2 dialogs are working. Stop all work?').waitFor()
  await stop.getByRole('button', { name: 'Stop all' }).click()
  await stop.waitFor({ state: 'hidden' })
  await page.getByRole('treeitem').getByText('Stopped').nth(1).waitFor()
  const banner = page.getByRole('status', { name: 'Emergency stop' })
  await banner.getByText('All work was stopped by you').waitFor()
  await page.getByRole('button', { name: 'Stop all' }).waitFor({ state: 'detached' })
  await assertAccessible(page, 'emergency stop')
  await page.reload()
  await page.getByRole('treeitem').getByText('Stopped').nth(1).waitFor()
  // Work started now waits too, and the page says so.
  const waiting = (await server.call('POST', '/v1/dialogs', { text: 'hello' })) as { id: string }
  const tab = await ada.context.newPage()
  await tab.goto(`${server.url}/c/${waiting.id}`)
  await tab.getByText('They are answered after “Resume all”.').waitFor()
  await banner.getByRole('button', { name: 'Resume all' }).click()
  const resume = page.getByRole('dialog', { name: 'Resume all' })
  await resume.getByRole('button', { name: 'Resume all' }).click()
  await banner.waitFor({ state: 'detached' })
  await tab.getByText('Hello, I am Ada').first().waitFor()
  await page.getByRole('treeitem').getByText('Stopped').first().waitFor({ state: 'detached' })
  assertNoFaults(ada)
  await ada.context.close()
})

test('opens, draws only what is in sight, and is gone through by keys', async () => {
  const server = await pageServer({ fast: true, seed: async (data) => void (await seedTree(data, 1_000)) })
  const ada = await visitor(browser, server, '/o')
  const { page } = ada
  const top = page.locator('#line-dlg_seededroot')
  await page.getByRole('tree').focus()
  await becomes(page, `document.getElementById('line-dlg_seededroot')?.getAttribute('aria-expanded') ?? ''`, 'false')
  await page.keyboard.press('ArrowRight')
  const first = page.locator('#line-dlg_side0001')
  await first.waitFor()
  await reads(() => top.getAttribute('aria-expanded'), 'true')
  await reads(() => first.getAttribute('aria-setsize'), '1000')
  assert.ok((await page.getByRole('treeitem').count()) < 60, 'lines out of sight are not in the document')
  await page.keyboard.press('End')
  await becomes(page, activeLine, 'Part 1000 of it')
  await page.locator('#line-dlg_side1000').waitFor()
  await page.keyboard.type('part 05')
  await becomes(page, activeLine, 'Part 0500 of it')
  await page.keyboard.press('Enter')
  await page.waitForURL(/dlg_side0500/)
  await page.getByRole('heading', { level: 1, name: 'Part 0500 of it' }).waitFor()
  // Loaded again, the tree stands where this page is.
  await page.reload()
  await page.locator('#line-dlg_side0500').waitFor()
  await reads(() => page.locator('#line-dlg_side0500').getAttribute('aria-current'), 'page')
  assertNoFaults(ada)
  await ada.context.close()
})
