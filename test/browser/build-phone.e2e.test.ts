import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '@playwright/test'
import type { BuildEventView } from '../../src/client/index.ts'
import { completed, ended, failedFor, numbered, opening, said, status, through, wholeBuild } from '../../src/client/test/build-logs.ts'
import { pageBuildWords } from '../../src/words/page-parts.ts'
import { buildBackend } from './build-backend.ts'
import { launchBrowser } from './find-browser.ts'

const browser = await launchBrowser()
const backend = await buildBackend()

const request = 'Build me a reading-list agent that knows every book in our library and answers in two languages'
const added = {
  type: 'build.instructed',
  payload: { text: 'In blue, please, and with a_very_long_word_that_has_no_place_to_break_anywhere' },
} as const
const late = { type: 'build.unheard', payload: { wishes: ['In blue'] } } as const
const steps = through('build_record', 'assemble')
const early = [status('failed'), failedFor('agent stopped')]
const withAdded = (events: readonly unknown[], ...more: unknown[]): BuildEventView[] => numbered([...events, ...more] as never)
const beforeAnswer = wholeBuild.slice(
  0,
  wholeBuild.findIndex(({ type }) => type === 'build.answered'),
)

const states: Record<string, readonly BuildEventView[]> = {
  running: withAdded([...opening(request), ...steps, said('I found three sources.')], added),
  question: beforeAnswer,
  complete: withAdded([
    ...opening(request),
    ...through('build_record', 'finalize'),
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
  failed: withAdded([...opening(request), ...steps, said('I couldn’t finish this build.'), ...early]),
}

/** Runs in the page; as text, because the tests know no DOM. */
const measure = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const box = document.querySelector('[data-part="build-composer"]').getBoundingClientRect()
    return {
      overflow: document.documentElement.scrollWidth - innerWidth,
      cut: [...document.querySelectorAll('[data-status] p, [data-status] p span')].filter((each) => each.getBoundingClientRect().right > innerWidth).length,
      composer: box.bottom <= innerHeight + 1 && box.left >= 0 && box.right <= innerWidth + 1,
    }
  })()`)

for (const width of [320, 360, 412])
  for (const language of ['en', 'zh'] as const)
    test(`every state of a build fits ${width} px (${language})`, async () => {
      const context = await browser.newContext({
        viewport: { width, height: 640 },
        locale: language === 'zh' ? 'zh-CN' : 'en-US',
        hasTouch: true,
        isMobile: true,
      })
      const page = await context.newPage()
      const words = pageBuildWords[language]
      for (const [name, events] of Object.entries(states)) {
        const id = `${name}-${width}-${language}`
        backend.record(id, { events, language })
        await page.goto(`${backend.url}/b/${id}`)
        await page.locator('[data-part="build-composer"]').waitFor()
        if (name === 'complete') await page.getByText(words.cameLate).waitFor()
        const shots = process.env['PARLEY_SHOTS']
        if (shots) await page.screenshot({ path: `${shots}/${id}.png` })
        assert.deepEqual(await measure(page), { overflow: 0, cut: 0, composer: true }, id)
      }
      await page.goto(`${backend.url}/b/running-${width}-${language}`)
      await page.getByText(words.willBeRead).waitFor()
      await page.getByRole('button', { name: words.cancelLong }).click()
      const dialog = page.locator('dialog[open]')
      await dialog.waitFor()
      const isCut = await page.evaluate(
        `(() => { const box = document.querySelector('dialog[open]'); return box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > innerWidth })()`,
      )
      assert.equal(isCut, false, 'the question before a stop is whole')
      await context.close()
    })
