import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, count, messages, reads, visitor } from './visitor.ts'

const browser = await launchBrowser()
const server = await pageServer()

test('the demo: a reply that streams, a choice, a set, and the same on every screen', async () => {
  const ada = await visitor(browser, server, '/c/demo')
  const { page } = ada
  assert.equal(new URL(page.url()).hash, '', 'the key must not stay in the address')
  await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor()
  await reads(() => page.locator('#composer').inputValue(), 'Build me a reading-list agent')
  await page.locator('#composer').press('Enter')
  await page.waitForURL(/\/c\/dlg/)

  // It streams: more and more of it is there before it is finished.
  const draft = page.locator('[data-part="draft"]')
  await draft.getByText('Hello, I am Ada').waitFor()
  assert.doesNotMatch(await draft.innerText(), /answer later/)
  await page.locator('[data-part="message"]').getByText('answer later').waitFor()

  // A single choice: each row answers at once.
  const card = page.getByRole('region', { name: 'What should the reading list be for?' })
  await card.waitFor()
  await becomes(page, 'document.title', '(1) Parley')
  await reads(() => card.locator('[data-item] button').count(), 3)

  // A reload, a second tab and a second device show the same open question.
  await page.reload()
  await card.waitFor()
  const tab = await ada.context.newPage()
  await tab.goto(page.url())
  await tab.getByRole('region', { name: 'What should the reading list be for?' }).waitFor()
  const other = await visitor(browser, server, new URL(page.url()).pathname)
  const otherCard = other.page.getByRole('region', { name: 'What should the reading list be for?' })
  await otherCard.waitFor()
  await other.page.getByRole('log').getByRole('button', { name: 'Go to the question' }).waitFor()
  assert.equal(
    await other.page.getByRole('log').getByText('What should the reading list be for?').count(),
    0,
    'the open question is shown once',
  )

  // Answered on the other device, it is answered here, and says by whom.
  await otherCard.getByRole('button', { name: 'Just for fun' }).click()
  await page
    .getByRole('log')
    .getByText(/Answered by you/)
    .waitFor()
  await page
    .getByRole('status')
    .getByText(/Answered by you/)
    .waitFor()

  // A set of two: one step each, the answers go together.
  const set = page.getByRole('region', { name: 'Before I go on, two details.' })
  await set.getByRole('img', { name: 'Question 1 of 2' }).waitFor()
  await set.getByRole('button', { name: 'Next' }).click()
  await set.getByText('Choose one of the answers.').waitFor()
  await becomes(page, 'document.activeElement.type', 'radio')
  await set.getByLabel('Two books a month').check()
  await set.getByRole('button', { name: 'Next' }).click()
  await set.getByRole('img', { name: 'Question 2 of 2' }).waitFor()
  await set.getByRole('button', { name: 'Send answers' }).click()
  await set.getByText('Write an answer.').waitFor()
  await set.getByLabel('Which topic?').fill('How cities grow')
  await set.getByRole('button', { name: 'Send answers' }).click()

  // A teammate is asked, in a side dialog, and needs a person too: this dialog says so and leads there.
  const waits = page.getByRole('region', { name: 'Waiting for a teammate' })
  await waits.getByText('Your turn').waitFor()
  await waits.getByRole('link', { name: 'Researcher' }).click()
  await page.getByRole('navigation', { name: 'Path to this side dialog' }).waitFor()
  await page.locator('[data-part="assignment"]').getByText('Assignment from @ada (sources)').waitFor()
  const length = page.getByRole('region', { name: 'Short books or long ones?' })
  await length.getByRole('button', { name: 'Short ones' }).click()
  await page.locator('[data-part="given"]').getByRole('link', { name: 'Go to the reply' }).click()
  await page.locator('[data-part="reply"]').getByText('Look for short books').waitFor()
  await page.getByText('Used make_list').waitFor()
  await page.locator('[data-part="message"]').getByText('That was the tour').waitFor()
  await page.getByRole('heading', { level: 1, name: 'How cities grow' }).waitFor()
  await becomes(page, 'document.title', 'Parley')

  // All three show the same words, each once.
  const here = await messages(page)
  for (const screen of [tab, other.page]) {
    await screen.locator('[data-part="message"]').getByText('That was the tour').waitFor()
    await reads(() => messages(screen), here)
  }
  assert.equal(count(here.join('\n'), 'Hello, I am Ada'), 1)
  assertNoFaults(ada, other)
  await other.context.close()
  await ada.context.close()
})

test('Stop ends a running turn for real, on every screen, and Continue goes on', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('a long one please')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/c\/dlg/)
  await page.locator('[data-part="draft"]').getByText('so that you can try').waitFor()
  const tab = await ada.context.newPage()
  await tab.goto(page.url())
  await tab.locator('[data-part="draft"]').getByText('so that you can try').waitFor()
  await tab.getByRole('button', { name: 'Stop' }).click()

  await page.getByText('Stopped here').waitFor()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  const partial = (await messages(page)).at(-1) ?? ''
  assert.match(partial, /Here is a long and slow reply/)
  assert.doesNotMatch(partial, /Here it ends/)
  const dialog = new URL(page.url()).pathname.split('/').at(-1)
  const detail = (await server.call('GET', `/v1/dialogs/${dialog}`)) as { status: string }
  assert.equal(detail.status, 'stopped')
  await page.reload()
  await page.getByText('Stopped here').waitFor()
  await reads(async () => (await messages(page)).at(-1), partial)

  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' })
  assertNoFaults(ada)
  await ada.context.close()
})

test('"Later" folds a question and leaves it open; declining closes it', async () => {
  const ada = await visitor(browser, server, '/c/new')
  const { page } = ada
  await page.locator('#composer').fill('hello')
  await page.locator('#composer').press('Enter')
  const card = page.getByRole('region', { name: 'What should the reading list be for?' })
  await card.getByRole('button', { name: 'Later' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Inbox, \d+ waiting for you$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'What should the reading list be for?' })
    .getByRole('link', { name: 'Answer in the dialog' })
    .first()
    .click()
  await card.getByRole('button', { name: 'Later' }).click()
  await page.getByRole('button', { name: '1 question is waiting for you' }).click()
  await card.getByRole('button', { name: 'More' }).click()
  await card.getByRole('button', { name: 'Decline…' }).click()
  await page.getByLabel('Reason (optional)').fill('I like surprises')
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await page.getByRole('log').getByText('I like surprises').waitFor()
  await page.getByRole('log').getByText('you do not have to answer').waitFor()
  assertNoFaults(ada)
  await ada.context.close()
})
