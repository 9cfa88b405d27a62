import { type AskedQuestion, type BuildLine, type BuildView, currentStep, stepOf } from '../../../src/client/build-view.ts'
import { languages, type Language } from '../../../src/shapes/language.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'
import { nowTitle } from '../build/now-title.ts'
import { endedWords } from '../build/ended-words.ts'
import { composer } from './composer.ts'
import { make } from './dom.ts'
import { markdown } from './markdown-dom.ts'

export type Drawing = {
  readonly node: HTMLElement
  draw(view: BuildView): void
  say(text: string): void
  link(text: string): void
  /** Nothing can be shown, and this is why. */
  refuse(text: string): void
}

type DrawingParts = {
  language: Language
  questionForm(ask: AskedQuestion): HTMLElement
  /** Says why not, null when another round has begun. */
  retry(): Promise<string | null>
  /** Says why not, null when the message has arrived. */
  say(text: string): Promise<string | null>
}

/** Draws a build into nodes that stay: only what changed is touched, so neither focus nor place is ever lost. */
export function buildDrawing({ language, questionForm, retry, say }: DrawingParts): Drawing {
  const words = pageBuildWords[language]
  const marks = stepMarks(language, words)
  const title = make('strong')
  const place = make('span')
  const about = make('p')
  const line = make('p', { class: 'link', role: 'status' })
  const lines = make('div', { class: 'lines', part: 'lines', role: 'log', 'aria-live': 'off', 'aria-label': words.log, tabindex: -1 })
  const foot = make('div')
  const message = composer(words, say)
  const liveText = make('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
  const node = make(
    'div',
    { class: 'body', lang: languages[language].htmlLang },
    make(
      'div',
      { part: 'timeline' },
      marks.node,
      make('div', { class: 'now', 'aria-hidden': 'true' }, make('p', {}, title, place), about),
      line,
    ),
    lines,
    foot,
    message.node,
    liveText,
  )
  const drawn = new Map<number, { line: BuildLine; node: HTMLElement }>()
  let footKey = ''

  function drawLines(view: BuildView): void {
    for (const one of view.lines) {
      const before = drawn.get(one.seq)
      if (before?.line === one) continue
      const next = lineNode(one, words)
      if (before) before.node.replaceWith(next)
      else lines.append(next)
      drawn.set(one.seq, { line: one, node: next })
    }
  }

  function drawFoot(view: BuildView): void {
    const isLate = view.isOver && view.lines.some((one) => one.kind === 'request' && one.state === 'late')
    const end = view.isOver || view.status === 'complete' ? view.status : ''
    const key = `${view.question?.id ?? ''}|${end}|${view.failure?.reason ?? ''}|${isLate}`
    if (key === footKey) return
    footKey = key
    const isEarly = view.isOver && view.failure !== null
    if (view.question) foot.replaceChildren(questionForm(view.question))
    else if (view.status === 'complete')
      foot.replaceChildren(
        ...(view.output === null ? [] : [resultNode(view.output, words)]),
        ...(isLate ? [againNode({ title: words.cameLate, sentence: words.cameLate, button: words.continueWith }, words, retry)] : []),
      )
    else if (isEarly) foot.replaceChildren(earlyNode(view, words, retry))
    else foot.replaceChildren()
  }

  return {
    node,
    draw(view) {
      const step = currentStep(view)
      const doneCount = view.steps.filter(({ state }) => state === 'done').length
      marks.draw(view)
      title.textContent = nowTitle(view, language)
      place.textContent = step ? `${step.index}/${view.steps.length}` : ''
      about.textContent = view.isOver ? words.stepsDone(doneCount, view.steps.length) : step ? stepOf(step.id, language).description : ''
      drawLines(view)
      drawFoot(view)
      message.draw(view.isOver)
    },
    say: (text) => void (liveText.textContent = text),
    link: (text) => void (line.textContent = text),
    refuse(text) {
      line.textContent = text
      for (const stale of [title, place, about]) stale.textContent = ''
    },
  }
}

function stepMarks(language: Language, words: PageBuildWords): { node: HTMLElement; draw(view: BuildView): void } {
  const marks: { mark: HTMLElement; state: HTMLElement }[] = []
  const node = make('ol', { class: 'steps', 'aria-label': words.steps })
  return {
    node,
    draw(view) {
      const current = view.isOver ? null : currentStep(view)
      for (const [at, step] of view.steps.entries()) {
        const state = marks[at]?.state ?? make('span', { class: 'unseen' })
        const mark = marks[at]?.mark ?? make('li', {}, state)
        if (!marks[at]) {
          marks[at] = { mark, state }
          node.append(mark)
        }
        if (mark.dataset['state'] !== step.state) {
          mark.dataset['state'] = step.state
          state.textContent = `${stepOf(step.id, language).title}, ${words.stepState[step.state]}`
        }
        if (step === current) mark.setAttribute('aria-current', 'step')
        else mark.removeAttribute('aria-current')
      }
    },
  }
}

function lineNode(line: BuildLine, words: PageBuildWords): HTMLElement {
  switch (line.kind) {
    case 'request':
      return make(
        'div',
        { class: 'mine', dir: 'auto' },
        line.text,
        line.state === 'waiting' && make('small', { role: 'status' }, words.willBeRead),
      )
    case 'message':
      return make('div', { class: 'text' }, markdown(line.text, words))
    case 'reassurance':
      return make('p', { class: 'light', dir: 'auto' }, line.text)
    case 'question':
      // While it is open its form says it.
      return make('p', { class: 'asked', dir: 'auto', hidden: line.state === 'open' }, line.ask.prompt)
    case 'answer':
      if (line.items.length === 1) return make('div', { class: 'mine', dir: 'auto' }, line.items[0]?.text ?? '')
      return make(
        'dl',
        { class: 'mine' },
        ...line.items.map(({ prompt, text }) => make('div', {}, make('dt', { dir: 'auto' }, prompt), make('dd', { dir: 'auto' }, text))),
      )
  }
}

function resultNode(output: string, words: PageBuildWords): HTMLElement {
  return make(
    'section',
    { class: 'result', part: 'result', 'aria-labelledby': 'result' },
    make('h3', { id: 'result' }, words.result),
    make('div', { class: 'text' }, markdown(output, words)),
  )
}

function earlyNode(view: BuildView, words: PageBuildWords, retry: DrawingParts['retry']): HTMLElement {
  const isCancelled = view.status === 'cancelled'
  const { title, sentence } = endedWords(view, words)
  return againNode({ title, sentence, button: isCancelled ? words.startAgain : words.tryAgain, isBad: !isCancelled }, words, retry)
}

type Again = { title: string; sentence: string | null; button: string; isBad?: boolean }

/** A button that begins another round. Without a sentence the log above says why. */
function againNode(
  { title, sentence, button: label, isBad = false }: Again,
  words: PageBuildWords,
  retry: DrawingParts['retry'],
): HTMLElement {
  const fault = make('p', { class: 'fault', role: 'alert' })
  const button = make('button', { type: 'button', class: 'main', part: 'button' }, label)
  button.addEventListener('click', () => {
    if (button.hasAttribute('aria-disabled')) return
    button.setAttribute('aria-disabled', 'true')
    void retry().then((refusal) => {
      if (refusal === null) return
      button.removeAttribute('aria-disabled')
      fault.textContent = `${words.retryFailed} ${refusal}`
    })
  })
  return make(
    'section',
    { class: 'early', part: 'failure', 'data-bad': isBad, 'aria-label': title },
    sentence !== null && sentence !== title && make('h3', {}, title),
    sentence !== null && make('p', { dir: 'auto' }, sentence),
    fault,
    button,
  )
}
