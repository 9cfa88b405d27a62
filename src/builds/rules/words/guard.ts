import { buildLimits, stepEchoMs } from '../build-limits.ts'
import { cleanText } from '../clean-text.ts'
import type { BuildIds } from '../header.ts'
import type { WordsFinding } from './finding.ts'
import { withoutHeaderEcho, withoutHeaderLines } from './header-echo.ts'
import { innerWorkings, isTransitionPair } from './inner-workings.ts'
import { isRemark } from './own-work.ts'
import { splitSentences, shortened } from './sentences.ts'
import { findShapes, withoutSecrets, withoutShapes, withoutTraces } from './shapes.ts'

/** Context of the text: the person's own words, ids of the build, and the step that was just shown. */
export type Around = {
  own?: string
  ids?: readonly string[]
  step?: { words: readonly string[]; at: number } | null
  at?: number
  most?: number
}

/** `text` is what may be shown; null when it is held back. No findings: it passed as it was. */
export type Guarded = { text: string | null; findings: WordsFinding[] }

/** So many times the longest text are read, and so many sentences of a text that is shown whole are judged. */
const readTimes = 15
const judgedSentences = 200

/** The part of an agent's text that people may read (T13). Sentences about inner workings are removed. */
export function guardWords(said: string, around: Around = {}): Guarded {
  const findings: WordsFinding[] = []
  const most = around.most ?? buildLimits.messageChars
  const whole = cleanText(said).trim()
  // More than this cannot be shown, whatever is removed from it.
  let text = whole.slice(0, readTimes * most).toWellFormed()

  const echoless = withoutHeaderEcho(text)
  if (echoless !== null) {
    findings.push({ why: 'header', what: 'parts of the transport header' })
    text = echoless
  }

  const traceless = withoutTraces(text)
  if (traceless !== null) {
    findings.push({ why: 'shape', what: 'a stack trace' })
    text = traceless
  }

  text = withoutInnerWorkings(text, around, findings)

  if (text !== '' && repeatsStep(text, around)) {
    findings.push({ why: 'repeats-step', what: 'the words of the step that was just shown' })
    return { text: null, findings }
  }
  if (text === '') {
    if (findings.length === 0) findings.push({ why: 'empty', what: 'nothing to read' })
    return { text: null, findings }
  }
  if (text.length > most) {
    findings.push({ why: 'too-long', what: `${whole.length} characters; ${most} are shown` })
    text = shortened(text, most)
  }
  return { text, findings }
}

/**
 * For what must not vanish, such as a question, a label or the output of a failed build: the header goes, machine text is
 * replaced by a placeholder, and the rest is shown as it is and noted. Null when nothing is left.
 */
export function guardPrompt(said: string, { own = '', ids = [] }: Pick<Around, 'own' | 'ids'> = {}): Guarded {
  const text = cleanText(said).trim()
  const echoless = withoutHeaderEcho(text)
  const findings: WordsFinding[] = echoless === null ? [] : [{ why: 'header', what: 'parts of the transport header' }]
  const rest = echoless ?? text
  for (const shape of findShapes(rest, own)) findings.push({ why: 'shape', what: `${shape.name}: “${shape.text.slice(0, 60)}”` })
  for (const { name, found } of splitSentences(rest)
    .slice(0, judgedSentences)
    .flatMap((sentence) => innerWorkings(sentence, own)))
    findings.push({ why: 'inner-workings', what: `${name}: “${found}”` })
  return { text: withoutShapes(rest, own, ids), findings }
}

/** The result of a completed build: exact header lines of this build and secrets go, every other byte stays. */
export function guardResult(output: string, ids: BuildIds): Guarded {
  const whole = output.toWellFormed()
  const findings: WordsFinding[] = []
  const echoless = withoutHeaderLines(whole, ids)
  if (echoless !== null) findings.push({ why: 'header', what: 'lines of the transport header' })
  const shown = withoutSecrets(echoless ?? whole)
  if (shown !== (echoless ?? whole)) findings.push({ why: 'shape', what: 'a secret' })
  return { text: shown, findings }
}

function withoutInnerWorkings(text: string, { own = '', ids = [] }: Around, findings: WordsFinding[]): string {
  const sentences = splitSentences(text)
  const shapes = sentences.map((sentence) => [
    ...findShapes(sentence, own).map(({ name, text: found }) => ({ name, found })),
    ...ids.filter((id) => hasWord(sentence, id)).map((id) => ({ name: 'an id of the build', found: id })),
  ])
  const inner = sentences.map((sentence) => innerWorkings(sentence, own))
  const isPair = sentences.map((sentence, at) => isTransitionPair(sentences[at - 1] ?? '', sentence))
  for (const { name, found } of shapes.flat()) findings.push({ why: 'shape', what: `${name}: “${found.slice(0, 60)}”` })
  for (const { name, found } of inner.flat()) findings.push({ why: 'inner-workings', what: `${name}: “${found}”` })
  for (const [at, is] of isPair.entries())
    if (is) findings.push({ why: 'inner-workings', what: `one part done, the next begins: “${(sentences[at] ?? '').trim().slice(0, 60)}”` })
  const isHeld = (at: number): boolean =>
    (shapes[at]?.length ?? 0) > 0 ||
    (inner[at]?.length ?? 0) > 0 ||
    isPair[at] === true ||
    (isPair[at + 1] === true && !isHandedOver(sentences[at] ?? ''))
  const isTransition = sentences.some((_, at) => (inner[at]?.length ?? 0) > 0 || isPair[at] === true)
  const rest = sentences
    .filter((sentence, at) => !isHeld(at) && !(isTransition && isRemark(sentence)))
    .join('')
    .trim()
  // A shape may be broken by what looks like the end of a sentence, such as the dot in a path.
  const broken = findShapes(rest, own)
  for (const { name } of broken) findings.push({ why: 'shape', what: name })
  if (broken.length > 0) return ''
  if (!sentences.some((_, at) => isHeld(at))) return text
  return /[\p{L}\p{N}]/u.test(rest) ? rest : ''
}

/** A result that the person has now. It stays, although the agent goes on in the next sentence. */
const isHandedOver = (sentence: string): boolean =>
  /^\W{0,3}your [^.,;:]{1,40} (?:is|are) (?:now )?(?:ready|live|online|available)\W*$/i.test(sentence.trim()) ||
  /^[您你]的.{1,20}(?:准备好了|已就绪|上线了|可以使用了|可以用了)\W*$/u.test(sentence.trim())

/** An id in its own right: `eu` is none inside "neutral". */
function hasWord(sentence: string, id: string): boolean {
  if (id.length < 3 || !/[-_\d]/.test(id)) return false
  const isWord = (char: string | undefined): boolean => char !== undefined && /[\w-]/.test(char)
  for (let at = sentence.indexOf(id); at !== -1; at = sentence.indexOf(id, at + 1))
    if (!isWord(sentence[at - 1]) && !isWord(sentence[at + id.length])) return true
  return false
}

function repeatsStep(text: string, { step, at = 0 }: Around): boolean {
  if (!step || at - step.at > stepEchoMs) return false
  return step.words.some((words) => bareWords(words) === bareWords(text))
}

/** Words without what a writer may vary: case, marks and blanks. */
export const bareWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/['’]/g, '’')
    .replace(/[\s.。!！…*_]+/gu, '')
