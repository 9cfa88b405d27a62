import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import type { BuildEventView } from '../../src/client/index.ts'
import {
  answeredWith,
  completed,
  details,
  ended,
  failedFor,
  goal,
  numbered,
  opening,
  said,
  status,
  through,
} from '../../src/client/test/build-logs.ts'
import { pageBuildWords } from '../../src/words/page-parts.ts'
import type { PageBuildWords } from '../../src/words/en/page-builds.ts'
import { buildBackend } from './build-backend.ts'
import { launchBrowser } from './find-browser.ts'

const browser = await launchBrowser()
const backend = await buildBackend()
const empty = await buildBackend()

const request = 'Build me a reading-list agent that knows every book in our library and answers in two languages'
const added = {
  type: 'build.instructed',
  payload: { text: 'In blue, please, and with a_very_long_word_that_has_no_place_to_break_anywhere' },
} as const
const late = { type: 'build.unheard', payload: { wishes: ['In blue'] } } as const
const steps = through('build_record', 'assemble')
const decided = [goal, answeredWith('q-goal', { 'q-goal': 'joy' })]
const withAdded = (events: readonly unknown[], ...more: unknown[]): BuildEventView[] => numbered([...events, ...more] as never)
const manyOptions = Array.from({ length: 8 }, (_, at) => ({
  id: `o${at}`,
  label: `Option ${at + 1}: a label that says in more than a few words what it would mean`,
}))

/** Events, and what is visible when the state is on the page. */
const states: Record<string, { events: readonly BuildEventView[]; shows(words: PageBuildWords): string }> = {
  queued: { events: withAdded(opening(request).slice(0, 2)), shows: (words) => words.getsReady },
  running: {
    events: withAdded([...opening(request), ...through('build_record', 'parse'), ...decided, ...through('parse', 'assemble')], added),
    shows: (words) => words.willBeRead,
  },
  question: {
    events: withAdded([...opening(request), ...through('build_record', 'research'), said('One thing first.'), goal]),
    shows: () => 'Read for pleasure',
  },
  'long question': {
    events: withAdded([
      ...opening(request),
      ...through('build_record', 'research'),
      {
        ...goal,
        payload: { ...goal.payload, prompt: 'What is the list for, and who will read the books on it? '.repeat(4), options: manyOptions },
      },
    ]),
    shows: () => 'Option 1:',
  },
  set: { events: withAdded([...opening(request), ...through('build_record', 'design'), ...decided, details]), shows: () => 'How often?' },
  complete: {
    events: withAdded([
      ...opening(request),
      ...through('build_record', 'parse'),
      ...decided,
      ...through('parse', 'finalize'),
      completed('finalize'),
      said('Ready.'),
      added,
      late,
      status(
        'complete',
        '# Title\n\n| a | b | c |\n|---|---|---|\n| a long cell | another long cell | and one more |\n\n' +
          'A line of the result.\n\n'.repeat(30),
      ),
      ended,
    ]),
    shows: (words) => words.cameLate,
  },
  failed: {
    events: withAdded([...opening(request), ...steps, said('I couldn’t finish this build.'), status('failed'), failedFor('agent stopped')]),
    shows: (words) => words.tryAgain,
  },
  cancelled: {
    events: withAdded([
      ...opening(request),
      ...steps,
      { type: 'build.cancelled', payload: {} },
      said('I stopped.'),
      status('failed'),
      failedFor('cancelled'),
    ]),
    shows: (words) => words.startAgain,
  },
}

/** Runs in the page, as text: the tests know no DOM. What scrolls within a box of its own may be wider than the screen. */
const findFaults = `(() => {
  const width = document.documentElement.clientWidth
  const faults = []
  if (document.documentElement.scrollWidth > width) faults.push('the page is ' + document.documentElement.scrollWidth + ' px wide')
  const scrolls = (element) => {
    for (let box = element.parentElement; box; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true
    return false
  }
  const open = document.querySelector('dialog[open]')
  for (const element of (open ?? document).querySelectorAll('button, a, textarea, input, label, h1, h2, p, span, dt, dd, time')) {
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || element.closest('.hidden-visually') || !element.checkVisibility({ visibilityProperty: true })) continue
    if ((box.right > width + 0.5 || box.left < -0.5) && !scrolls(element)) faults.push(element.tagName + ' "' + element.textContent.slice(0, 40) + '" ends at ' + Math.round(box.right) + ' px')
  }
  const composer = open ? null : document.querySelector('[data-part="build-composer"]')
  if (composer) {
    const box = composer.getBoundingClientRect()
    if (box.bottom > innerHeight + 1 || box.top < 0) faults.push('the composer is from ' + Math.round(box.top) + ' to ' + Math.round(box.bottom) + ' px')
  }
  const card = open ? null : document.querySelector('#question-card')
  const last = card && [...card.querySelectorAll('button')].at(-1).getBoundingClientRect()
  if (last && card.querySelector('[type=submit]') && last.bottom > innerHeight) faults.push('the buttons of the question end at ' + Math.round(last.bottom) + ' px')
  return faults
})()`

const screens = [
  { width: 320, height: 640 },
  { width: 360, height: 640 },
  { width: 412, height: 800 },
  { width: 1280, height: 800 },
]

/** With PARLEY_SHOTS=folder it also takes a picture of each state, in both themes. */
async function measure(page: Page, name: string): Promise<void> {
  const shots = process.env['PARLEY_SHOTS']
  for (const screen of screens) {
    await page.setViewportSize(screen)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    assert.deepEqual(await page.evaluate(findFaults), [], `${name} at ${screen.width} px`)
    for (const colorScheme of shots ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${shots}/${name}-${screen.width}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
}

for (const language of ['en', 'zh'] as const)
  test(`every state of a build fits every screen (${language})`, async () => {
    const context = await browser.newContext({ locale: language === 'zh' ? 'zh-CN' : 'en-US', hasTouch: true })
    const page = await context.newPage()
    const words = pageBuildWords[language]
    await page.goto(`${empty.url}/b`)
    await page.locator('#build-prompt').waitFor()
    await page.getByText(words.empty).locator('visible=true').first().waitFor()
    await measure(page, `${language} none`)
    for (const [name, { events, shows }] of Object.entries(states)) {
      const id = `${language} ${name}`.replace(' ', '-').replace(' ', '-')
      backend.record(id, { events, language, isAnswered: true })
      await page.setViewportSize({ width: 320, height: 640 })
      await page.goto(`${backend.url}/b/${id}`)
      await page.locator('[data-part="build-composer"]').waitFor()
      await page.getByText(shows(words)).locator('visible=true').first().waitFor()
      await measure(page, `${language} ${name}`)
    }
    await page.goto(`${backend.url}/b/${language}-running`)
    await page.getByRole('button', { name: words.cancelLong }).click()
    await page.locator('dialog[open]').waitFor()
    await measure(page, `${language} stop`)
    await page.goto(`${backend.url}/b`)
    await page.getByText(words.status.waiting).locator('visible=true').first().waitFor()
    await measure(page, `${language} several`)
    await context.close()
  })
