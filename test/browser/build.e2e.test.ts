import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from '@playwright/test'
import {
  completed,
  details,
  ended,
  failedFor,
  goal,
  numbered,
  opening,
  reassured,
  said,
  status,
  through,
  wholeBuild,
} from '../../src/client/test/build-logs.ts'
import { assertAccessible } from './accessibility.ts'
import { buildBackend } from './build-backend.ts'
import { launchBrowser } from './find-browser.ts'
import { becomes, listen, reads, watchFaults } from './visitor.ts'

const browser = await launchBrowser()
const backend = await buildBackend()

const failing = numbered([
  ...opening('Build me a reading-list agent'),
  ...through('build_record', 'assemble'),
  said('I couldn’t finish this build because I stopped unexpectedly. Please try again.'),
  status('failed'),
  failedFor('agent stopped'),
])

async function visit(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; faults: string[]; leave(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  const page = await context.newPage()
  const faults = watchFaults(page)
  await page.goto(backend.url + path)
  await page.locator('#root header').first().waitFor({ state: 'attached' })
  return {
    page,
    faults,
    async leave() {
      await context.close()
      assert.deepEqual(faults, [])
    },
  }
}

const phone: BrowserContextOptions = { viewport: { width: 360, height: 640 }, locale: 'zh-CN', hasTouch: true, isMobile: true }

const current = (page: Page): Promise<string> => page.locator('[aria-current="step"]').innerText()
const answersSent = (): unknown[] => backend.asked.filter(({ path }) => path.endsWith('/answers')).map(({ body }) => body)

test('a whole build by keyboard alone, from the list to the result', async () => {
  backend.record('seed', { events: wholeBuild })
  const { page, leave } = await visit('/b')
  const { keyboard } = page
  await page.locator('#build-prompt').focus()
  await keyboard.press('Enter')
  await page.getByText('Describe what should be built.').waitFor()
  await keyboard.type('Build me a reading-list agent')
  await keyboard.press('Enter')
  await page.waitForURL(/\/b\/new-/)

  // The composer is empty, so the question takes the focus; an arrow key moves into it.
  await becomes(page, 'document.activeElement.id', 'question-card')
  assert.match(await current(page), /Gathering what we need/)
  await keyboard.press('Enter')
  assert.equal(answersSent().length, 0, 'Enter on the card answers nothing')
  await keyboard.press('ArrowDown')
  await becomes(page, 'document.activeElement.dataset.value', 'work')
  await keyboard.press('ArrowDown')
  await becomes(page, 'document.activeElement.dataset.value', 'joy')
  await keyboard.press('Enter')

  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  await becomes(page, 'document.activeElement.id', 'question-card')
  await keyboard.press('ArrowDown')
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await page.getByRole('img', { name: 'Question 2 of 2' }).waitFor()
  await becomes(page, 'document.activeElement.tagName', 'TEXTAREA')
  await keyboard.type('Rivers')
  await keyboard.press('Enter')

  const result = page.getByRole('region', { name: 'Your result' })
  await result.getByRole('heading', { name: 'Reading list' }).waitFor()
  await result.getByText('One book each week').waitFor()
  await becomes(page, 'document.activeElement.id', 'log')
  assert.deepEqual(answersSent().slice(-2), [
    { question_id: 'q-goal', answer: 'joy' },
    { answers: { 'q-often': 'w', 'q-topic': 'Rivers' } },
  ])
  // Messages, questions and answers in order; the reassurance after a long silence is no message.
  await reads(
    () => page.locator('#log [data-part]').evaluateAll((all) => all.map((one) => one.getAttribute('data-part'))),
    ['mine', 'message', 'asked', 'mine', 'asked', 'mine', 'reassurance', 'message', 'result'],
  )
  await leave()
})

test('a question is put off and taken up again', async () => {
  backend.record('later', { events: numbered([...opening('x'), ...through('build_record', 'parse'), goal]) })
  const { page, leave } = await visit('/b/later')
  await page.locator('#question-card').getByRole('button', { name: 'Later' }).click()
  await page.locator('#question-card').waitFor({ state: 'detached' })
  await page.getByText('What is the list for?').waitFor()
  await page.getByRole('button', { name: /^Answer/ }).click()
  await page.locator('#question-card').getByRole('button', { name: 'Read for pleasure' }).waitFor()
  await leave()
})

test('the focus goes back to where it was, and a writer is not disturbed', async () => {
  backend.record('focus', {
    events: numbered([
      ...opening('x'),
      ...through('build_record', 'parse'),
      goal,
      { type: 'build.answered', payload: { question: 'q-goal', answers: {} } },
      ...through('parse', 'design'),
    ]),
    // The page must be open and the button focused before the question arrives, also on a busy machine.
    paceMs: 800,
  })
  const { page, leave } = await visit('/b/focus')
  await page.getByRole('button', { name: 'Stop this build' }).focus()
  await becomes(page, 'document.activeElement.id', 'question-card')
  await page.getByRole('button', { name: 'Read for pleasure' }).press('Enter')
  await becomes(page, `document.activeElement.getAttribute('aria-label')`, 'Stop this build')
  await leave()

  backend.record('writer', { events: numbered([...opening('x'), ...through('build_record', 'parse'), goal]), paceMs: 250 })
  const writer = await visit('/b/writer')
  const field = writer.page.locator('[data-part="build-composer"] textarea')
  await field.fill('In blue')
  await writer.page.locator('#question-card').waitFor()
  // The card would take the focus within a frame.
  await writer.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.equal(await writer.page.evaluate(`document.activeElement.closest('[data-part="build-composer"]') !== null`), true)
  await writer.leave()
})

test('on a phone in Chinese: nothing sideways, everything large enough, answered by touch', async () => {
  backend.record('phone', { events: wholeBuild, language: 'zh' })
  const { page, leave } = await visit('/b/phone', phone)
  const card = page.locator('#question-card')
  await card.waitFor()
  assert.match(await current(page), /正在收集所需内容/)
  await page.getByText('3/7').waitFor()
  const small = await page
    .locator('main :is(button, a, textarea, label:has(input))')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML))
  assert.deepEqual(small, [])
  await card.getByText('Read for pleasure').tap()
  await card.getByText('Before I go on, two details.').waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await card.getByText('Weekly').tap()
  await card.getByRole('button', { name: '下一题' }).tap()
  await card.getByRole('textbox').fill('河流')
  await card.getByRole('button', { name: '发送回答' }).tap()
  await page.getByRole('region', { name: '您的结果' }).waitFor()
  await page.getByText('您的构建已完成').first().waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await leave()
})

test('no rule of accessibility is broken in any state, light, dark and on a phone', async () => {
  backend.record('axe-run', {
    events: numbered([...opening('A'), ...through('build_record', 'research'), said('Hi.'), reassured('Still here.')]),
  })
  backend.record('axe-set', { events: numbered([...opening('A'), ...through('build_record', 'design'), details]) })
  backend.record('axe-fail', { events: failing })
  const done = numbered([
    ...opening('A'),
    ...through('build_record', 'finalize'),
    completed('finalize'),
    said('Ready.'),
    status('complete', '# It\n\n```js\nlet a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
    ended,
  ])
  backend.record('axe-done', { events: done })
  const marks: Record<string, string> = {
    '/b': '#build-prompt',
    '/b/axe-run': '[data-part="reassurance"]',
    '/b/axe-set': '#question-card',
    '/b/axe-fail': 'main details',
    '/b/axe-done': '[data-part="result"]',
    '/b/nothing-here': 'main h1',
  }
  const looks: BrowserContextOptions[] = [{}, { colorScheme: 'dark' }, phone]
  for (const look of looks) {
    const { page, leave } = await visit('/b', look)
    for (const path of Object.keys(marks)) {
      await page.goto(backend.url + path)
      await page
        .locator(marks[path] ?? 'main h1')
        .first()
        .waitFor()
      await assertAccessible(page, `${path} ${look.locale ?? look.colorScheme ?? 'light'}`)
    }
    await leave()
  }
})

test('a wide screen shows the builds beside a build, a narrow one the build alone', async () => {
  backend.record('column-1', { events: failing })
  backend.record('column-2', { events: wholeBuild })
  for (const [locale, name, start, state] of [
    ['en-US', 'Builds', 'New build', 'Failed'],
    ['zh-CN', '构建', '新建构建', '失败'],
  ] as const) {
    const { page, leave } = await visit('/b/column-1', { locale })
    const column = page.getByRole('navigation', { name, exact: true })
    const open = column.locator('a[aria-current="page"]')
    await open.waitFor()
    assert.equal(await open.getAttribute('href'), '/b/column-1')
    assert.match(await open.innerText(), new RegExp(state))
    // By keyboard: the row above the open one is the newer build.
    await open.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/b\/column-2$/)
    await page.locator('#question-card').waitFor()
    assert.equal(await open.getAttribute('href'), '/b/column-2')
    await column.getByRole('link', { name: start }).click()
    await page.locator('#build-prompt').waitFor()
    assert.equal(await page.locator('main ul a:visible').count(), 0, 'the builds are shown once')
    await page.goBack()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.locator('#question-card').waitFor()
    assert.equal(await column.isVisible(), false)
    await leave()
  }
})

test('a step that moves on moves nothing else', async () => {
  backend.record('calm', { events: numbered([...opening('A'), ...through('build_record', 'finalize')]), paceMs: 120 })
  const low: BrowserContextOptions = { viewport: { width: 1280, height: 640 } }
  for (const look of [{}, low, phone]) {
    const { page, leave } = await visit('/b/calm', look)
    const places = (): Promise<string> =>
      page.evaluate(
        `JSON.stringify([...document.querySelectorAll('main ol li, #log')].map((one) => Math.round(one.getBoundingClientRect().top)))`,
      )
    await page.locator('[aria-current="step"]').waitFor()
    const seenKeys = new Set<string>()
    while (!/Finalizing|正在收尾/.test(await current(page))) {
      seenKeys.add(await places())
      await pause(40)
    }
    seenKeys.add(await places())
    assert.equal(seenKeys.size, 1, [...seenKeys].join('\n'))
    assert.equal(
      await page.evaluate(`(({ parentElement: box }) => box.scrollHeight <= box.clientHeight)(document.querySelector('main ol'))`),
      true,
    )
    await leave()
    backend.record('calm', { events: numbered([...opening('A'), ...through('build_record', 'finalize')]), paceMs: 120 })
  }
})

test('a lost connection is restored without repeats or gaps; the answer is kept and sent', async () => {
  backend.record('cut', { events: wholeBuild, paceMs: 30 })
  const { page, leave } = await visit('/b/cut')
  await page.locator('#question-card').waitFor()
  backend.cut(true)
  await page.getByText('Reconnecting').waitFor()
  await page.getByRole('button', { name: 'Get better at work' }).click()
  await page.getByText('Your answer will be sent when the connection is back.').waitFor()
  assert.equal(await page.locator('[data-part="message"]').count(), 1)
  backend.cut(false)
  await page.getByRole('region', { name: 'Before I go on, two details.' }).waitFor()
  backend.cut(true)
  await page.getByText('Reconnecting').waitFor()
  backend.cut(false)
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('textbox', { name: 'Which topic first?' }).fill('Rivers')
  await page.getByRole('button', { name: 'Send answers' }).click()
  await page.getByRole('region', { name: 'Your result' }).waitFor()
  await reads(() => page.locator('[data-part="mine"]').count(), 3)
  await reads(() => page.locator('[data-part="message"]').count(), 2)
  const given = backend.asked.filter(({ path }) => path === '/v1/builds/cut/answers')
  assert.equal(given.length, 2)
  await leave()
})

test('a reload keeps half an answer; a second tab shows the same and closes the question for both', async () => {
  backend.record('two', { events: wholeBuild })
  const one = await visit('/b/two')
  const two = await visit('/b/two')
  await two.page.getByRole('button', { name: 'Get better at work' }).click()
  await one.page.locator('#log').getByText('Get better at work').waitFor()
  await one.page.getByRole('radio', { name: 'Monthly' }).check()
  await one.page.reload()
  await reads(() => one.page.getByRole('radio', { name: 'Monthly' }).isChecked(), true)
  await one.leave()
  await two.leave()
})

test('a refused answer says why and stays', async () => {
  backend.record('refused', { events: wholeBuild })
  backend.refuse('/v1/builds/refused/answers', 409, 'already_answered')
  const { page, leave } = await visit('/b/refused')
  await page.getByRole('button', { name: 'Read for pleasure' }).click()
  await page.getByRole('alert').getByText('The answer was not sent.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Read for pleasure' }).getAttribute('aria-pressed'), 'true')
  await leave()
})

test('a build that failed is explained once, by its agent, and is started again with the same request', async () => {
  backend.record('failed', { events: failing })
  const { page, leave } = await visit('/b/failed')
  const early = page.getByRole('region', { name: 'This build could not be finished.' })
  await early.getByRole('button', { name: 'Try again' }).waitFor()
  assert.equal(await early.getByText('It stopped unexpectedly.').count(), 0, 'the summary in the log has said it')
  assert.equal(await early.getByText('agent stopped').isVisible(), false)
  await early.getByText('Details').click()
  await early.getByText('agent stopped').waitFor()
  await early.getByRole('button', { name: 'Try again' }).click()
  await page.locator('#question-card').waitFor()
  await early.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/b\/failed$/)
  await leave()
})

test('a build is stopped after one question back', async () => {
  backend.record('stopped', { events: numbered([...opening('A'), goal]) })
  const { page, leave } = await visit('/b/stopped')
  await page.locator('#question-card').waitFor()
  await page.getByRole('button', { name: 'Stop this build' }).click()
  await page.getByRole('dialog', { name: 'Stop this build?' }).getByRole('button', { name: 'Stop the build' }).click()
  const early = page.getByRole('region', { name: 'This build was stopped.' })
  await early.getByRole('button', { name: 'Start again' }).waitFor()
  await page.locator('#question-card').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Stop this build' }).waitFor({ state: 'detached' })
  await leave()
})

test('no such build, in words of both languages', async () => {
  const { page, leave } = await visit('/b/nothing-here')
  await page.getByRole('heading', { name: 'This build does not exist.' }).waitFor()
  await page.getByRole('link', { name: 'All builds' }).click()
  await page.waitForURL(/\/b$/)
  await leave()
  const chinese = await visit('/b/nothing-here', phone)
  await chinese.page.getByRole('heading', { name: '这个构建不存在。' }).waitFor()
  await chinese.leave()
})

test('who listens hears where things stand, not every change', async () => {
  const answered = { type: 'build.answered', payload: { question: 'q-goal', answers: {} } } as const
  backend.record('heard', {
    events: numbered([...opening('A'), goal, answered, ...through('build_record', 'validate'), details]),
    paceMs: 40,
  })
  const { page, leave } = await visit('/b/heard')
  await page.locator('#question-card').waitFor()
  await listen(page)
  await page.locator('#question-card [data-item] button').first().click()
  await becomes(page, 'heard.at(-1)?.text ?? ""', '2 questions for you')
  const heard = await page.evaluate<{ text: string; at: number }[]>('heard')
  // Five steps went by: they are not told one by one, but after 800 ms each time. The first sentence is about the answer.
  const elapsed = (heard.at(-1)?.at ?? 0) - (heard[0]?.at ?? 0)
  assert.ok(heard.length <= 2 + Math.floor(elapsed / 800), JSON.stringify(heard))
  await leave()
})

test('whatever a result holds, nothing in it runs', async () => {
  const bad =
    '<script>window.hit=1</script>\n\n<img src=x onerror="window.hit=1">\n\n[press](javascript:window.hit=1)\n\n![p](https://example.org/p.png)'
  backend.record('bad', { events: numbered([...opening('A'), said('Ready.'), status('complete', bad), ended]) })
  const { page, leave } = await visit('/b/bad')
  await page.getByRole('region', { name: 'Your result' }).getByText('<script>').waitFor()
  assert.equal(await page.evaluate('window.hit'), undefined)
  assert.equal(await page.locator('main img').count(), 0)
  assert.equal(await page.locator('main a[href^="javascript"]').count(), 0)
  await leave()
})
