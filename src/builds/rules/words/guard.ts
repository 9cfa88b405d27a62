import { buildLimits, stepEchoMs } from '../build-limits.ts'
import { cleanText } from '../clean-text.ts'
import type { WordsFinding } from './finding.ts'
import { withoutHeaderEcho } from './header-echo.ts'
import { innerWorkings } from './inner-workings.ts'
import { splitSentences, shortened } from './sentences.ts'

/** Context of the text: the person's own words, and the step that was just shown. */
export type Around = { own?: string; step?: { words: readonly string[]; at: number } | null; at?: number; most?: number }

/** `text` is what may be shown; null when it is held back. No findings: it passed as it was. */
export type Guarded = { text: string | null; findings: WordsFinding[] }

/** The part of an agent's text that people may read (T13). Sentences about inner workings are removed. */
export function guardWords(said: string, around: Around = {}): Guarded {
  const findings: WordsFinding[] = []
  let text = cleanText(said).trim()

  const echoless = withoutHeaderEcho(text)
  if (echoless !== null) {
    findings.push({ why: 'header', what: 'parts of the transport header' })
    text = echoless
  }

  text = withoutInnerWorkings(text, around.own ?? '', findings)

  if (text !== '' && repeatsStep(text, around)) {
    findings.push({ why: 'repeats-step', what: 'the words of the step that was just shown' })
    return { text: null, findings }
  }
  if (text === '') {
    if (findings.length === 0) findings.push({ why: 'empty', what: 'nothing to read' })
    return { text: null, findings }
  }
  const most = around.most ?? buildLimits.messageChars
  if (text.length > most) {
    findings.push({ why: 'too-long', what: `${text.length} characters; ${most} are shown` })
    text = shortened(text, most)
  }
  return { text, findings }
}

/**
 * For what must not vanish, a question above all: the header goes, the rest is shown as it is and noted. Null when
 * nothing is left.
 */
export function guardPrompt(said: string, own = ''): Guarded {
  const text = cleanText(said).trim()
  const echoless = withoutHeaderEcho(text)
  const findings: WordsFinding[] = echoless === null ? [] : [{ why: 'header', what: 'parts of the transport header' }]
  const left = echoless ?? text
  for (const { name, found } of innerWorkings(left, own)) findings.push({ why: 'inner-workings', what: `${name}: “${found}”` })
  return { text: left === '' ? null : left, findings }
}

function withoutInnerWorkings(text: string, own: string, findings: WordsFinding[]): string {
  const inner = innerWorkings(text, own)
  if (inner.length === 0) return text
  for (const { name, found } of inner) findings.push({ why: 'inner-workings', what: `${name}: “${found}”` })
  const remaining = splitSentences(text).filter((sentence) => innerWorkings(sentence, own).length === 0)
  const left = remaining.join('').trim()
  // Some tell it only together: "Parsing is done. Now assembling."
  return innerWorkings(left, own).length > 0 || !/[\p{L}\p{N}]/u.test(left) ? '' : left
}

function repeatsStep(text: string, { step, at = 0 }: Around): boolean {
  if (!step || at - step.at > stepEchoMs) return false
  const bare = (words: string): string =>
    words
      .toLowerCase()
      .replace(/['’]/g, '’')
      .replace(/[\s.。!！…*_]+/gu, '')
  return step.words.some((words) => bare(words) === bare(text))
}
