import type { AskedQuestion, BuildQuestion } from '../../../src/client/build-view.ts'
import type { BuildAnswer } from '../../../src/client/builds.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'
import { make } from './dom.ts'

type FormParts = {
  ask: AskedQuestion
  words: PageBuildWords
  /** Says why it was refused, null when it arrived. */
  send(answer: BuildAnswer): Promise<string | null>
}

/** The open question, or all of a set. It stays until the log contains an answer. */
export function questionForm({ ask, words, send }: FormParts): HTMLElement {
  const fields = ask.questions.map((question) => field(question, ask, words))
  const fault = make('p', { class: 'fault', role: 'alert' })
  const button = make('button', { type: 'submit', class: 'main', part: 'button' }, ask.isSet ? words.sendSet : words.send)
  const form = make('form', { novalidate: true }, ...fields.map(({ node }) => node), fault, button)
  let isBusy = false

  async function submit(): Promise<void> {
    if (isBusy) return
    const missing = fields.filter((one) => !one.check())
    if (missing[0]) return missing[0].focus()
    isBusy = true
    fault.textContent = ''
    button.textContent = words.sending
    button.setAttribute('aria-disabled', 'true')
    const answers = Object.fromEntries(fields.map((one) => [one.id, one.value()]))
    const one = fields[0]
    const refusal = await send(ask.isSet || !one ? { answers } : { question_id: one.id, answer: one.value() })
    if (refusal === null) return
    isBusy = false
    button.textContent = ask.isSet ? words.sendSet : words.send
    button.removeAttribute('aria-disabled')
    fault.textContent = `${words.answerFailed} ${refusal}`
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  form.addEventListener('keydown', (event) => {
    // Safari ends a composition first and then reports key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    if (!(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    form.requestSubmit()
  })
  return make(
    'section',
    { class: 'card', part: 'question', tabindex: -1, 'aria-labelledby': 'asked' },
    make('p', { class: 'who' }, ask.isSet ? words.questions(ask.questions.length) : words.question),
    make('h3', { id: 'asked', dir: 'auto' }, ask.prompt),
    form,
  )
}

type Field = { id: string; node: HTMLElement; value(): string; check(): boolean; focus(): void }

function field({ id, prompt, input, options }: BuildQuestion, ask: AskedQuestion, words: PageBuildWords): Field {
  const own = `q-${ask.questions.findIndex((one) => one.id === id)}`
  const problem = make('p', { class: 'fault', id: `${own}-fault` })
  const say = (node: HTMLElement, text: string): boolean => {
    problem.textContent = text
    if (text === '') node.removeAttribute('aria-invalid')
    else node.setAttribute('aria-invalid', 'true')
    return text === ''
  }
  if (input === 'text') {
    const box = make('textarea', { id: own, rows: 1, dir: 'auto', 'aria-describedby': `${own}-fault` })
    const label = make('label', { for: own, dir: 'auto', class: ask.isSet ? '' : 'unseen' }, prompt)
    return {
      id,
      node: make('div', { class: 'field' }, label, box, problem),
      value: () => box.value.trim(),
      check: () => say(box, box.value.trim() === '' ? words.writeAnswer : ''),
      focus: () => box.focus(),
    }
  }
  const radios = options.map((option) => make('input', { type: 'radio', name: own, value: option.id }))
  const labels = options.map((option, at) => {
    const text = make(
      'span',
      { dir: 'auto' },
      option.label,
      option.description !== undefined && make('small', { dir: 'auto' }, option.description),
    )
    return make('label', { class: 'option' }, radios[at] ?? null, text)
  })
  const legend = make('legend', { dir: 'auto', class: ask.isSet ? '' : 'unseen' }, prompt)
  const node = make('fieldset', { role: 'radiogroup', 'aria-describedby': `${own}-fault` }, legend, ...labels, problem)
  const value = (): string => radios.find((radio) => radio.checked)?.value ?? ''
  return { id, node, value, check: () => say(node, value() === '' ? words.chooseOne : ''), focus: () => radios[0]?.focus() }
}
