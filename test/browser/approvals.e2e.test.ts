import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import type { GrantView, QuestionView } from '../../src/shapes/wire.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { assertAccessible } from './accessibility.ts'
import { launchBrowser } from './find-browser.ts'
import { pageServer } from './page-server.ts'
import { assertNoFaults, becomes, callAs, reads, type Visitor, visitor } from './visitor.ts'

const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const browser = await launchBrowser()
const yaml = `team:
  members:
    ada: ${scripted('cautious')}
people:
  mia: { role: owner }
  ann: { role: operator }
  bob: { role: member }
  carl: { role: member }
policy:
  approvers: [bob]
  rules:
    - { ask: run(deploy *), keys: 2 }
`
const server = await pageServer({ fast: true, config: yaml })

// Dialogs and grants of a test, also of one that failed, are not in the way of the next one.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  const { items } = (await server.call('GET', '/v1/questions?state=open')) as { items: QuestionView[] }
  for (const { id, approval } of items) if (approval) await server.call('POST', `/v1/questions/${id}/answer`, { decision: 'deny' })
  for (const { id } of await grants()) await server.call('DELETE', `/v1/grants/${id}`)
})
/** The person writes this in a new dialog, and its agent waits for approvals of the calls that the text names. */
async function waiting(person: Visitor, text: string): Promise<{ dialog: string; questions: QuestionView[] }> {
  const { page } = person
  const { id: dialog } = (await callAs(person, '/v1/dialogs', { text })) as { id: string }
  const questions = await openApprovals(dialog, text === 'several' ? 3 : 1)
  await page.goto(`${server.url}/c/${dialog}`)
  await card(page).waitFor()
  return { dialog, questions }
}

async function openApprovals(dialog: string, count: number): Promise<QuestionView[]> {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(20)) {
    const { items } = (await server.call('GET', '/v1/questions?state=open')) as { items: QuestionView[] }
    const questions = items.filter((question) => question.dialog === dialog && question.approval)
    if (questions.length === count) return questions
  }
  throw new Error(`there are not ${count} approvals in ${dialog}`)
}

/** Those in force. */
async function grants(): Promise<GrantView[]> {
  const { items } = (await server.call('GET', '/v1/grants')) as { items: GrantView[] }
  return items.filter(({ end }) => end === null)
}

const card = (page: Page): Locator => page.locator('#question-card')

const lastMessage = (page: Page, text: string): Promise<void> => page.locator('#log [data-part="message"]').last().getByText(text).waitFor()

async function check(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.equal(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), false, `${what} scrolls sideways`)
  if (process.env['PARLEY_SHOTS']) await page.screenshot({ path: `${process.env['PARLEY_SHOTS']}/${what.replaceAll(' ', '-')}.png` })
}

const say = (person: Visitor, dialog: string, text: string): Promise<unknown> => callAs(person, `/v1/dialogs/${dialog}/messages`, { text })

suite('approvals of several people', () => {
  test('the person who caused it sees who may decide and nothing of the call; an approver below operator gets no "always"', async () => {
    const carl = await visitor(browser, server, '/', { ...wide, person: 'carl' })
    await waiting(carl, 'several')
    await card(carl.page).getByRole('heading', { name: 'Ada needs 3 approvals' }).waitFor()
    await reads(() => card(carl.page).getByText('Waiting for mia, ann, or bob to approve.').count(), 3)
    assert.equal(await card(carl.page).getByRole('button').count(), 0)
    await carl.page.getByRole('main').getByText('Waiting for approval', { exact: true }).waitFor()
    await carl.page.getByRole('treeitem', { name: /several, @ada, Waiting for approval/ }).waitFor()
    assert.doesNotMatch(await carl.page.locator('body').innerText(), /npm run docs|zone\.txt|The blog moves/)
    await check(carl.page, 'approval hidden')
    const bob = await visitor(browser, server, '/o', { ...wide, person: 'bob' })
    const row = bob.page.locator('li[data-kind="approval"]').filter({ hasText: 'Ada needs 3 approvals' })
    await row.getByText('npm run docs', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Allow all 3 once' }).waitFor()
    assert.equal(await row.getByRole('button', { name: 'Always allow…' }).count(), 0)
    await row.getByText('Requested by carl (member').first().waitFor()
    await row.getByText('You can decide this, but you cannot read the dialog.').waitFor()
    assert.equal(await row.getByRole('link').count(), 0)
    await row.getByRole('button', { name: 'Allow all 3 once' }).click()
    await lastMessage(carl.page, 'ran npm run docs')
    await carl.page.getByText('Allow once: decided by bob').first().waitFor()
    assertNoFaults(carl, bob)
  })

  test('an ordinary question says whom it is for, unless that is the reader', async () => {
    const carl = await visitor(browser, server, '/', { ...wide, person: 'carl' })
    const { id } = (await callAs(carl, '/v1/dialogs', { text: 'ask' })) as { id: string }
    await carl.page.goto(`${server.url}/c/${id}`)
    await card(carl.page).getByRole('heading', { name: 'Which colour?' }).waitFor()
    await card(carl.page).getByText('for carl').waitFor({ state: 'detached' })
    const mia = await visitor(browser, server, `/c/${id}`, { ...wide, person: 'mia' })
    await card(mia.page).getByText('for carl', { exact: true }).waitFor()
    await mia.page.goto(`${server.url}/o`)
    await mia.page.getByRole('listitem').filter({ hasText: 'Which colour?' }).getByText('for carl').waitFor()
    const { questions } = (await server.call('GET', `/v1/dialogs/${id}`)) as { questions: QuestionView[] }
    await callAs(carl, `/v1/questions/${questions[0]?.id}/answer`, { text: 'red' })
    assertNoFaults(carl, mia)
  })

  test('an answer by a person who may not decide is refused and changes nothing', async () => {
    const carl = await visitor(browser, server, '/', { ...wide, person: 'carl' })
    const { questions } = await waiting(carl, 'run make carl')
    await assert.rejects(callAs(carl, `/v1/questions/${questions[0]?.id}/answer`, { decision: 'once' }), /answered 403/)
    const question = (await server.call('GET', `/v1/questions/${questions[0]?.id}`)) as QuestionView
    assert.equal(question.state, 'open')
    assertNoFaults(carl)
  })

  test('two keys: the card counts them, and the first person cannot give the second', async () => {
    const mia = await visitor(browser, server, '/', { ...wide, person: 'mia' })
    const { dialog } = await waiting(mia, 'run deploy site')
    await card(mia.page).getByText('0 of 2 approvals: none yet').waitFor()
    await reads(() => card(mia.page).getByRole('button').allInnerTexts(), ['Allow once', 'Deny', 'Deny with a note'])
    await card(mia.page).getByRole('button', { name: 'Allow once' }).click()
    await card(mia.page).getByText('1 of 2 approvals: mia').waitFor()
    await card(mia.page).getByRole('button', { name: 'Allow once' }).waitFor({ state: 'detached' })
    await card(mia.page).getByText('You already allowed this. Another person has to allow it too.').waitFor()
    const bob = await visitor(browser, server, '/o', { ...wide, person: 'bob' })
    const row = bob.page.locator('li[data-kind="approval"]').filter({ hasText: 'deploy site' })
    await row.getByText('1 of 2 approvals: mia').waitFor()
    await row.getByRole('button', { name: 'Allow once' }).click()
    await lastMessage(mia.page, 'Result: ran deploy site')
    assert.equal((await openApprovals(dialog, 0)).length, 0)
    assertNoFaults(mia, bob)
  })
})

suite('approvals on the page', () => {
  // The first look at the dialog is for its log, the second for what this reader may decide.
  for (const [late, passing] of [
    ['/v1/info', 0],
    ['/v1/dialogs/*', 1],
  ] as const)
    test(`before the answer of ${late} the card shows the call, says that it loads, and offers nothing`, async () => {
      const mia = await visitor(browser, server, '/', wide)
      const { page } = mia
      const arrival = Promise.withResolvers<void>()
      let requests = 0
      await page.route(`**${late}`, async (route) => {
        requests += 1
        if (requests > passing) await arrival.promise
        await route.continue()
      })
      await waiting(mia, 'run npm ci')
      await card(page).getByRole('region', { name: 'Command' }).getByText('npm ci').waitFor()
      await card(page).getByText('Loading the approval…').waitFor()
      assert.equal(await card(page).getByRole('button').count(), 0)
      await check(page, 'approval loading')
      await card(page).focus()
      await page.keyboard.press('d')
      arrival.resolve()
      await card(page).getByRole('button', { name: 'Always allow…' }).waitFor()
      assert.equal(await card(page).getByText('Loading the approval…').count(), 0)
      await page.keyboard.press('d')
      await lastMessage(page, 'denied this call')
      assertNoFaults(mia)
    })

  test('a command is shown whole, allowed once, and runs', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    await waiting(mia, 'run npm test')
    await card(page).getByRole('heading', { name: 'Allow Ada to run this command?' }).waitFor()
    await reads(async () => (await card(page).getByRole('region', { name: 'Command' }).innerText()).trim(), 'npm test')
    await card(page).getByText('/project').waitFor()
    await card(page).getByText('Requested by the owner (page). Reason: No rule or grant allows run(npm test).').waitFor()
    const labels = ['Allow once', 'Allow in this chat', 'Always allow…', 'Deny', 'Deny with a note']
    await reads(() => card(page).getByRole('button').allInnerTexts(), labels)
    await card(page).getByRole('button', { name: 'Allow once' }).click()
    await lastMessage(page, 'Result: ran npm test')
    await page.getByText('Allow once: decided by you').waitFor()
    await card(page).waitFor({ state: 'detached' })
    assertNoFaults(mia)
  })

  test('always allow: the scope is edited, checked beside its field, and what it covers runs unasked', async () => {
    const mia = await visitor(browser, server, '/', { ...wide, timezoneId: 'Asia/Shanghai' })
    const { page } = mia
    const { dialog } = await waiting(mia, 'run git log -3')
    await card(page).getByRole('button', { name: 'Always allow…' }).click()
    await card(page).getByRole('radio', { name: 'run(git log -3)' }).check()
    assert.equal(await card(page).getByRole('radio').count(), 2)
    const scope = card(page).getByRole('textbox', { name: 'Scope' })
    await reads(() => scope.inputValue(), 'run(git log -3)')
    await scope.fill('run(git push *)')
    await scope.press('Enter')
    await card(page).getByRole('button', { name: 'Allow and remember' }).click()
    await card(page).getByRole('alert').getByText('This scope does not cover the call.').waitFor()
    await reads(() => scope.getAttribute('aria-invalid'), 'true')
    await scope.fill('run(git log -3 *)')
    const day = card(page).locator('input[type="date"]')
    const today = await day.getAttribute('min')
    await card(page).getByRole('button', { name: 'In 30 days', pressed: false }).click()
    await card(page).getByRole('button', { name: 'In 30 days', pressed: true }).waitFor()
    const last = await day.inputValue()
    assert.equal(Date.parse(last) - Date.parse(today ?? ''), 30 * 86_400_000, `${last} is 30 days after ${today}`)
    await card(page).getByRole('button', { name: 'Allow and remember' }).click()
    await lastMessage(page, 'Result: ran git log -3')
    const [made] = await grants()
    assert.equal(made?.scope, 'run(git log -3 *)')
    assert.equal(made?.dialog, null)
    assert.equal(made.until, Date.parse(`${last}T23:59:59.999+08:00`), 'it ends with that day, as the clock of the reader has it')
    await say(mia, dialog, 'run git log -3 --oneline')
    await lastMessage(page, 'Result: ran git log -3 --oneline')
    await card(page).waitFor({ state: 'detached' })
    assert.equal((await openApprovals(dialog, 0)).length, 0)
    assertNoFaults(mia)
  })

  test('a scope that covers everything is confirmed a second time', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    await waiting(mia, 'run ls -l')
    await card(page).getByRole('button', { name: 'Always allow…' }).click()
    await card(page).getByRole('textbox', { name: 'Scope' }).fill('run(*)')
    await card(page).getByRole('button', { name: 'Allow and remember' }).click()
    await card(page).getByText('run(*) covers everything of its kind').waitFor()
    assert.deepEqual(await grants(), [])
    await card(page).getByRole('button', { name: 'Allow everything of this kind' }).click()
    await lastMessage(page, 'Result: ran ls -l')
    assert.deepEqual(
      (await grants()).map(({ scope }) => scope),
      ['run(*)'],
    )
    assertNoFaults(mia)
  })

  test('deny with a note: the agent reads the note', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    await waiting(mia, 'run rm -r old')
    await card(page).getByRole('button', { name: 'Deny with a note' }).click()
    await card(page).getByRole('button', { name: 'Deny with a note' }).click()
    await card(page).getByText('Write a note, or go back and choose Deny.').waitFor()
    await card(page).getByRole('textbox', { name: 'Tell Ada why' }).fill('Keep it for a month.')
    await card(page).getByRole('button', { name: 'Deny with a note' }).click()
    await lastMessage(page, 'denied this call: Keep it for a month.')
    await page.getByText('Deny: decided by you').waitFor()
    await page.getByText('Keep it for a month.', { exact: true }).waitFor()
    assertNoFaults(mia)
  })

  test('approvals of one turn are one card: one denied, the others allowed together', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    await waiting(mia, 'several')
    await card(page).getByRole('heading', { name: 'Ada needs 3 approvals' }).waitFor()
    const change = card(page).getByRole('region', { name: 'Allow Ada to change dns/zone.txt?' })
    const added = ['+blog  A     95.216.7.3\n', '+blog  AAAA  2a01:4f9::3\n']
    await reads(() => change.locator('[data-line="added"]').allInnerTexts(), added)
    await change.getByRole('button', { name: 'Deny', exact: true }).click()
    await card(page).getByRole('heading', { name: 'Ada needs 2 approvals' }).waitFor()
    await card(page).getByRole('button', { name: 'Allow both once' }).click()
    for (const result of ['ran npm run docs', 'sent to telegram:-500', 'denied this call']) await lastMessage(page, result)
    assertNoFaults(mia)
  })

  test('the second person to decide reads who was first, and nothing changes', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { dialog, questions } = await waiting(mia, 'run make clean')
    const tab = await visitor(browser, server, `/c/${dialog}`, wide)
    await card(tab.page).waitFor()
    // The denial arrives between the click and the request of the other page.
    await tab.page.route('**/answer', async (route) => {
      await mia.page.locator('#question-card').getByRole('button', { name: 'Deny', exact: true }).click()
      await lastMessage(mia.page, 'denied this call')
      await route.continue()
    })
    await card(tab.page).getByRole('button', { name: 'Allow once' }).click()
    await tab.page.getByText('You already decided: Deny.').waitFor()
    const question = (await server.call('GET', `/v1/questions/${questions[0]?.id}`)) as QuestionView
    assert.equal(question.approval?.decision, 'deny')
    assertNoFaults(mia, tab)
  })

  test('a stopped turn closes the card and says so', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { dialog } = await waiting(mia, 'run make all')
    await server.call('POST', `/v1/dialogs/${dialog}/stop`, {})
    await mia.page.getByRole('status').getByText('No longer needed: the turn was stopped.').waitFor()
    await card(mia.page).waitFor({ state: 'detached' })
    assertNoFaults(mia)
  })

  test('what cannot be undone: Deny comes first, nothing is for always, and no letter allows it', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    await waiting(mia, 'pay Eve')
    await card(page).getByRole('heading', { name: 'Allow Ada to use transfer (bank)?' }).waitFor()
    await card(page).getByText('Cannot be undone').waitFor()
    await card(page).getByRole('button', { name: 'Allow once' }).waitFor()
    const labels = await card(page).getByRole('button').allInnerTexts()
    assert.equal(labels[0], 'Deny')
    assert.deepEqual(labels.slice(-2), ['Allow once', 'Allow in this chat'])
    assert.equal(labels.includes('Always allow…'), false)
    await card(page).focus()
    await page.keyboard.press('a')
    await page.keyboard.press('d')
    await lastMessage(page, 'denied this call')
    assertNoFaults(mia)
  })

  test('by keyboard: the card takes no focus, Enter allows nothing, and letters count in the card alone', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    const { dialog } = await waiting(mia, 'run make one')
    await page.locator('#composer').focus()
    await page.keyboard.type('a d c')
    await reads(() => page.locator('#composer').inputValue(), 'a d c')
    await page.locator('#composer').fill('')
    assert.equal(await page.evaluate(`document.activeElement.id`), 'composer')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Allow once', 'Always allow…', 'Deny']) await help.getByText(label, { exact: true }).waitFor()
    assert.equal(await help.getByText('Allow in this chat').count(), 0, 'no single key makes a grant')
    await check(page, 'keys help')
    await page.keyboard.press('Escape')
    await page.keyboard.press('q')
    await becomes(page, 'document.activeElement.id', 'question-card')
    await card(page)
      .getByText(/^Shortcuts: A Allow once · Shift\+A Always allow… · D Deny$/)
      .waitFor()
    await page.keyboard.press('c')
    await becomes(page, 'document.activeElement.id', 'composer')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('q')
    await becomes(page, 'document.activeElement.id', 'question-card')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+A')
    await card(page).getByRole('radio').first().waitFor()
    await becomes(page, `document.activeElement.type`, 'radio')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await becomes(page, 'document.activeElement.id', 'question-card')
    await card(page).getByRole('button', { name: 'Deny with a note' }).click()
    await card(page).getByRole('textbox', { name: 'Tell Ada why' }).waitFor()
    await becomes(page, 'document.activeElement.tagName', 'TEXTAREA')
    await page.keyboard.type('a and d')
    await page.keyboard.press('Escape')
    await becomes(page, 'document.activeElement.id', 'question-card')
    await card(page).getByRole('button', { name: 'Deny with a note' }).click()
    assert.equal(await card(page).getByRole('textbox', { name: 'Tell Ada why' }).inputValue(), 'a and d', 'Escape discards no text')
    await page.keyboard.press('Escape')
    await becomes(page, 'document.activeElement.id', 'question-card')
    // Tab reaches the text first, then the decisions in the order they are shown.
    await page.keyboard.press('Tab')
    await becomes(page, `document.activeElement.tagName`, 'PRE')
    await page.keyboard.press('Tab')
    await becomes(page, `document.activeElement.dataset.action`, 'once')
    const stillOpen = (await server.call('GET', `/v1/dialogs/${dialog}`)) as { questions: unknown[] }
    assert.equal(stillOpen.questions.length, 1)
    await page.keyboard.press('Tab')
    await becomes(page, `document.activeElement.dataset.action`, 'chat')
    await page.keyboard.press('Enter')
    await lastMessage(page, 'Result: ran make one')
    await page
      .locator('[data-part="toast"]')
      .getByText(/Allowed in this chat: run\(make one\), until/)
      .waitFor()
    assert.equal((await grants()).find((grant) => grant.dialog === dialog)?.scope, 'run(make one)')
    assertNoFaults(mia)
  })

  test('in the inbox: approvals of a turn are one row and are decided there', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    const { questions } = await waiting(mia, 'several')
    await page.goto(`${server.url}/o`)
    const row = page.getByRole('main').locator('li[data-kind="approval"]').filter({ hasText: 'Ada needs 3 approvals' })
    await row.waitFor()
    await reads(() => page.locator('li[data-kind="approval"]').count(), 1)
    await server.call('POST', `/v1/questions/${questions[0]?.id}/answer`, { decision: 'deny' })
    await page.getByText('already decided: Deny.').waitFor()
    const rest = page.getByRole('main').locator('li[data-kind="approval"]')
    await rest.getByRole('heading', { name: 'Ada needs 2 approvals' }).waitFor()
    await rest.getByRole('button', { name: 'Deny all' }).click()
    await page.getByText('You’re all caught up').waitFor()
    assertNoFaults(mia)
  })

  test('grants are listed with who allowed what until when, and revoked', async () => {
    const mia = await visitor(browser, server, '/', wide)
    const { page } = mia
    const { dialog } = await waiting(mia, 'edit src/a/b.ts')
    await card(page).getByRole('button', { name: 'Allow in this chat' }).click()
    await lastMessage(page, 'Result: changed src/a/b.ts')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Permissions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Permissions' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'write(src/a/**)' })
    await row.getByText(/^Allowed by the owner on .* \(page\): in this chat write\(src\/a\/\*\*\), until /).waitFor()
    await row.getByRole('button', { name: 'Revoke write(src/a/**)' }).click()
    const ask = page.getByRole('dialog', { name: 'Revoke write(src/a/**)?' })
    await check(page, 'grants revoke')
    await ask.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('status').getByText('write(src/a/**) is revoked').waitFor()
    await page.getByRole('listitem').getByRole('button', { name: 'Revoke write(src/a/**)' }).waitFor({ state: 'detached' })
    await page.getByText(/ended permissions?/).click()
    await page
      .getByText(/^Revoked by the owner/)
      .first()
      .waitFor()
    await say(mia, dialog, 'edit src/a/c.ts')
    await openApprovals(dialog, 1)
    assertNoFaults(mia)
  })
})
