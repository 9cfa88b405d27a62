import { isCancel, multiselect, password, select, text } from '@clack/prompts'
import {
  answerHint,
  type Answers,
  controlFor,
  explainAnswer,
  parseAnswer,
  type Question,
  type QuestionItem,
  type QuestionOption,
} from '../dialogs/rules/question.ts'
import { toIsoDate } from '../dialogs/rules/question-kinds/iso-date.ts'
import { menuInput } from './menu-keys.ts'
import { oneLine, plainText } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** clack draws on stdout unless told otherwise, and stdout is for results. */
const on = (terminal: Terminal, signal?: AbortSignal) => ({ input: terminal.stdin, output: terminal.stderr, ...(signal ? { signal } : {}) })

export type Option = { value: string; label: string; hint?: string }

/** `onTyped` gets the words a person typed while a menu had the keyboard. */
export type MenuContext = { signal?: AbortSignal; onTyped?(text: string): void }

/** Null when the person pressed Esc or Ctrl+C, or typed words and Enter. */
export async function askChoice(
  terminal: Terminal,
  message: string,
  options: readonly Option[],
  { signal, onTyped }: MenuContext = {},
): Promise<string | null> {
  const { input, close } = menuInput(terminal)
  try {
    const chosen = await select<string>({ ...on(terminal, signal), input, message, options: options.map((option) => ({ ...option })) })
    return isCancel(chosen) ? null : chosen
  } finally {
    const typed = close()
    if (typed !== '') onTyped?.(typed)
  }
}

const notNow = 'not-now'

/** A menu in which nothing is decided unless the person moves to an option first. Null when they put it off. */
export async function askChoiceOrNotNow(
  terminal: Terminal,
  message: string,
  options: readonly Option[],
  context?: MenuContext,
): Promise<string | null> {
  const chosen = await askChoice(terminal, message, [{ value: notNow, label: terminal.words.approvals.putOff }, ...options], context)
  return chosen === notNow ? null : chosen
}

export async function askText(terminal: Terminal, message: string, placeholder?: string, signal?: AbortSignal): Promise<string | null> {
  const typedText = await text({
    ...on(terminal, signal),
    message,
    ...(placeholder ? { placeholder } : {}),
    validate: (value) => (value === undefined || value.trim() === '' ? terminal.words.empty : undefined),
  })
  return isCancel(typedText) ? null : typedText
}

/** Typed without being shown. Empty is allowed: some servers need no key. */
export async function askSecret(terminal: Terminal, message: string): Promise<string | null> {
  const typedSecret = await password({ ...on(terminal), message })
  return isCancel(typedSecret) ? null : (typedSecret ?? '')
}

/** Asks every part of a question in turn; the caller shows its heading. Null when the person left; nothing is sent then. */
export async function askQuestion(terminal: Terminal, question: Question, context: MenuContext = {}): Promise<Answers | null> {
  const answers: Answers = {}
  const isSet = question.items.length > 1
  for (const item of question.items) {
    const message = plainText(isSet || item.text.trim() !== '' ? item.text || item.id : question.text)
    const answer = await askItem(terminal, item, message, context)
    if (answer === null) return null
    answers[item.id] = answer
  }
  return answers
}

async function askItem(terminal: Terminal, item: QuestionItem, message: string, context: MenuContext): Promise<string | null> {
  const control = controlFor(item)
  switch (control.type) {
    case 'options':
      return askChoice(terminal, message, control.options.map(onOneLine), context)
    case 'checks':
      return askSeveral(terminal, item, message, control.options.map(onOneLine), context)
    case 'field':
      return askField(terminal, item, message, control.placeholder, context.signal)
    case 'date':
      return askField(terminal, item, message, undefined, context.signal)
  }
}

/** Asks again until the number of chosen options fits. */
async function askSeveral(
  terminal: Terminal,
  item: QuestionItem,
  message: string,
  options: readonly Option[],
  context: MenuContext,
): Promise<string | null> {
  const { language } = terminal.words
  const count = explainAnswer(item, '', language) ?? ''
  let chosen: string[] | null = []
  for (;;) {
    chosen = await askChecks(terminal, `${message}\n${count}`, options, chosen, context)
    if (chosen === null) return null
    const fault = explainAnswer(item, chosen.join('\n'), language)
    if (fault === null) return chosen.join('\n')
    terminal.warn(fault)
  }
}

async function askChecks(
  terminal: Terminal,
  message: string,
  options: readonly Option[],
  initialValues: readonly string[],
  { signal, onTyped }: MenuContext,
): Promise<string[] | null> {
  const { input, close } = menuInput(terminal, { toggles: true })
  try {
    const all = options.map((option) => ({ ...option }))
    const chosen = await multiselect<string>({ ...on(terminal, signal), input, message, options: all, initialValues, required: false })
    return isCancel(chosen) ? null : chosen
  } finally {
    const typed = close()
    if (typed !== '') onTyped?.(typed)
  }
}

/** Asks again until the text is an answer of this kind. */
async function askField(
  terminal: Terminal,
  item: QuestionItem,
  message: string,
  placeholder: string | undefined,
  signal?: AbortSignal,
): Promise<string | null> {
  const { language } = terminal.words
  const hint = answerHint(item, language)
  const today = toIsoDate(Date.now())
  const typed = await text({
    ...on(terminal, signal),
    message: hint === '' ? message : `${message}\n${hint}`,
    ...(placeholder ? { placeholder: oneLine(placeholder) } : {}),
    validate: (value = '') =>
      parseAnswer(item, value, today) === null ? (explainAnswer(item, value, language) ?? terminal.words.empty) : undefined,
  })
  return isCancel(typed) ? null : parseAnswer(item, typed, today)
}

const onOneLine = ({ value, label, hint }: QuestionOption): Option => ({
  value,
  label: oneLine(label),
  ...(hint ? { hint: oneLine(hint) } : {}),
})
