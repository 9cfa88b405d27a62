import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'
import { make } from './dom.ts'

export type Composer = {
  readonly node: HTMLElement
  /** After the end a message asks for a change. */
  draw(isOver: boolean): void
}

/** Longest message; the server has the same limit. */
const mostChars = 20_000

/** A message to the build, in every phase. Its text stays until it has arrived. */
export function composer(words: PageBuildWords, say: (text: string) => Promise<string | null>): Composer {
  const box = make('textarea', { rows: 1, dir: 'auto', 'aria-describedby': 'say-fault' })
  const fault = make('p', { class: 'fault', role: 'alert', id: 'say-fault' })
  const button = make('button', { type: 'submit', part: 'button' }, words.say)
  const node = make('form', { class: 'say', part: 'composer', novalidate: true }, box, button, fault)
  let isBusy = false

  async function send(): Promise<void> {
    const text = box.value
    if (isBusy || text.trim() === '') return
    if (text.length > mostChars) return void (fault.textContent = words.promptTooLong(mostChars))
    isBusy = true
    fault.textContent = ''
    button.setAttribute('aria-disabled', 'true')
    const refusal = await say(text)
    isBusy = false
    button.removeAttribute('aria-disabled')
    if (refusal !== null) fault.textContent = `${words.sayFailed} ${refusal}`
    else if (box.value === text) box.value = ''
  }
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  box.addEventListener('keydown', (event) => {
    // Safari ends a composition first and then reports key code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    node.requestSubmit()
  })
  return {
    node,
    draw(isOver) {
      const label = isOver ? words.askForChange : words.sayLabel
      box.setAttribute('aria-label', label)
      box.setAttribute('placeholder', label)
    },
  }
}
