import { isCancel, password, select, text } from '@clack/prompts'
import type { Answers, Question } from '../dialog/question.ts'
import { oneLine, plainText } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** clack draws on stdout unless told otherwise, and stdout is for results. */
const on = (terminal: Terminal, signal?: AbortSignal) => ({ input: terminal.stdin, output: terminal.stderr, ...(signal ? { signal } : {}) })

export type Option = { value: string; label: string; hint?: string }

/** Null when the person pressed Esc or Ctrl+C. */
export async function askChoice(
  terminal: Terminal,
  message: string,
  options: readonly Option[],
  signal?: AbortSignal,
): Promise<string | null> {
  const chosen = await select<string>({ ...on(terminal, signal), message, options: options.map((option) => ({ ...option })) })
  return isCancel(chosen) ? null : chosen
}

export async function askText(terminal: Terminal, message: string, placeholder?: string, signal?: AbortSignal): Promise<string | null> {
  const given = await text({
    ...on(terminal, signal),
    message,
    ...(placeholder ? { placeholder } : {}),
    validate: (value) => (value === undefined || value.trim() === '' ? terminal.words.empty : undefined),
  })
  return isCancel(given) ? null : given
}

/** Typed without being shown. Empty is allowed: some servers need no key. */
export async function askSecret(terminal: Terminal, message: string): Promise<string | null> {
  const given = await password({ ...on(terminal), message })
  return isCancel(given) ? null : (given ?? '')
}

/** Asks every part of a question in turn; its heading is the caller's to show. Null when the person left; nothing is sent then. */
export async function askQuestion(terminal: Terminal, question: Question, signal?: AbortSignal): Promise<Answers | null> {
  const answers: Answers = {}
  const several = question.items.length > 1
  for (const item of question.items) {
    const message = plainText(several || item.text.trim() !== '' ? item.text || item.id : question.text)
    const answer =
      item.kind === 'choice'
        ? await askChoice(
            terminal,
            message,
            item.options.map((option) => ({
              value: option.value,
              label: oneLine(option.label),
              ...(option.hint ? { hint: oneLine(option.hint) } : {}),
            })),
            signal,
          )
        : await askText(terminal, message, item.placeholder && oneLine(item.placeholder), signal)
    if (answer === null) return null
    answers[item.id] = answer
  }
  return answers
}
