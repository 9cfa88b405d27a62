import type { Language } from '../../shapes/language.ts'
import { buildTexts } from '../../words/index.ts'
import type { LineItem } from './agent-lines.ts'
import type { Option } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { type Ask, listEvents, type Move } from './moves.ts'
import { advance, getFault, type Progress } from './rules.ts'
import { isStepId, type StepId, stepIds } from './steps.ts'

export const plainOutputLimits = { noteChars: 200, notes: 20, keptChars: 4 * buildLimits.outputChars, questions: 5 } as const

export type PlainReader = {
  /** The first steps, before the program has written anything. */
  begin(): LineItem[]
  /** Steps and messages in whole lines; the rest is kept for the end. */
  push(text: string): LineItem[]
  /** Meaning of the whole reply. `isClean`: the program ended with 0; otherwise nothing of it is a result. */
  end(isClean: boolean): LineItem[]
}

/** Models put marks into bold or headings. */
const mark = /^[\s>#*_]*(STEP|SAY|ASK|RESULT|FAIL)[*_]*\s*[:：][*_]*\s*(.*)$/
const bullet = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/

/**
 * The plain reply of a model command line as a valid build. Lines with a mark say what they are; without any mark the whole
 * reply is the result. Steps that the program does not name are filled in.
 */
export function plainOutput(given: Progress, language: Language): PlainReader {
  let progress = given
  let line = ''
  let result: string | null = null
  let text = ''
  let cut = false
  const asks: { prompt: string; options: string[] }[] = []
  let failure: string | null = null
  let notes = 0

  function play(...moves: Move[]): LineItem[] {
    const items: LineItem[] = []
    for (const move of moves)
      for (const event of listEvents(move, progress, language)) {
        if (getFault(progress, event) === null) progress = advance(progress, event)
        items.push({ event })
      }
    return items
  }
  const reached = (): number => Math.max(progress.done.length - 1, progress.open === null ? -1 : stepIds.indexOf(progress.open))
  const stepsTo = (step: StepId): LineItem[] =>
    stepIds.slice(reached() + 1, stepIds.indexOf(step) + 1).flatMap((next) => play({ do: 'start_step', step: next }))
  const note = (words: string): LineItem[] =>
    words.trim() === '' || (notes += 1) > plainOutputLimits.notes ? [] : [{ note: words.trim().slice(0, plainOutputLimits.noteChars) }]

  function keep(more: string): void {
    const room = plainOutputLimits.keptChars - (result ?? text).length
    if (more.length > room) cut = true
    if (result === null) text += more.slice(0, room)
    else result += more.slice(0, room)
  }

  /** One line with its line break; after RESULT: nothing is a mark any more. */
  function take(whole: string): LineItem[] {
    if (result !== null) return (keep(whole), [])
    const [, name, rest = ''] = mark.exec(whole.trimEnd()) ?? []
    const words = withoutEmphasis(rest)
    const ask = asks.at(-1)
    switch (name) {
      case 'STEP':
        return isStepId(words) ? stepsTo(words) : note(whole)
      case 'SAY':
        return words === '' ? [] : play({ do: 'say', text: words.slice(0, buildLimits.rawMessageChars) })
      case 'ASK':
        if (words !== '') asks.push({ prompt: words.slice(0, buildLimits.questionChars), options: [] })
        return []
      case 'FAIL':
        failure = words
        return []
      case 'RESULT':
        result = words === '' ? '' : `${words}\n`
        return [...stepsTo('assemble'), ...note(text)]
      case undefined:
      default: {
        const [, option] = (ask && bullet.exec(whole.trimEnd())) ?? []
        if (ask && option !== undefined) ask.options.push(option.slice(0, buildLimits.labelChars))
        else keep(whole)
        return []
      }
    }
  }

  function conclude(): LineItem[] {
    if (result === null && failure !== null)
      return play({ do: 'fail', summary: failure === '' ? buildTexts[language].summaries.failed : failure })
    if (result === null && asks.length > 0) return [...note(text), ...play(toQuestion(asks, language))]
    const output = withoutBlankEdges(result ?? text)
    // A program that said nothing is started again by the runner.
    if (output === '') return []
    const shownOutput =
      cut || output.length > buildLimits.outputChars ? `${output.slice(0, buildLimits.outputChars - 2).toWellFormed()}\n…` : output
    return [
      ...(shownOutput === output ? [] : note(`The result has more than ${buildLimits.outputChars} characters; the rest was left out.`)),
      ...stepsTo('finalize'),
      ...play({ do: 'finish', summary: buildTexts[language].summaries.complete, output: shownOutput }),
    ]
  }

  return {
    begin: () => stepsTo('research'),
    push(more) {
      const items: LineItem[] = []
      const lines = (line + more).split('\n')
      line = lines.pop() ?? ''
      for (const each of lines) items.push(...take(`${each}\n`))
      // A line without an end is text, whatever it begins with.
      if (line.length > buildLimits.rawMessageChars) {
        keep(line)
        line = ''
      }
      return items
    },
    end(isClean) {
      if (!isClean) return []
      const last = line
      line = ''
      return [...(last === '' ? [] : take(last)), ...conclude()]
    },
  }
}

function toQuestion(asks: readonly { prompt: string; options: string[] }[], language: Language): Move {
  const questions = asks.slice(0, plainOutputLimits.questions).map(({ prompt, options }): Ask => {
    const labels = [...new Set(options)].slice(0, buildLimits.options)
    const choices = labels.length < 2 ? [] : labels.map((label, at): Option => ({ id: `o${at + 1}`, label }))
    return { id: `q-${digest(`${prompt}\n${labels.join('\n')}`)}`, prompt, options: choices }
  })
  const distinct = [...new Map(questions.map((each) => [each.id, each])).values()]
  const [only] = distinct
  if (distinct.length === 1 && only) return { do: 'ask', ...only }
  const id = `set-${digest(distinct.map((each) => each.id).join())}`
  return { do: 'ask_many', id, prompt: buildTexts[language].manyQuestions, questions: distinct }
}

/** FNV-1a. An id made of the words: a question that is asked again in a later round is answered as before. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}

/** A mark may be set in bold, so that its stars or underscores end the line. */
function withoutEmphasis(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '*' || text[end - 1] === '_')) end--
  return text.slice(0, end).trim()
}

/** Without blank lines before it and white space after it; the indent of its first line stays. */
function withoutBlankEdges(text: string): string {
  const start = text.length - text.trimStart().length
  return text.slice(text.lastIndexOf('\n', start) + 1).trimEnd()
}
