import type { Language } from '../../../shapes/language.ts'
import { dialogTexts, promptTexts } from '../../../words/index.ts'
import { block, quote, shortBlock, toNoteName, toPlainText } from './fences.ts'
import type { Arrival, CourseBlock, Note, ReplyStatus, ResultText, WaitingLine } from './prompt-items.ts'
import { passedTime, writtenCount, writtenDay, writtenTime } from './times.ts'

/** First line of a reply. Exact strings of the protocol. */
export const statusMarkers = {
  done: '【最终完成】',
  partial: '【部分完成】',
  could_not: '【未能完成】',
  unstated: '【未声明完成】',
  failed: '【失败】',
} as const satisfies Record<ReplyStatus, string>

const askBackMarker = '【tellaskBack】'
const longestLine = 200

const written = new WeakMap<Arrival, { language: Language; text: string }>()

/** An arrival as one element of the prompt. It never changes, and every later request holds it again. */
export function arrivalText(arrival: Arrival, language: Language): string {
  const entry = written.get(arrival)
  if (entry?.language === language) return entry.text
  const text = writeArrival(arrival, language)
  written.set(arrival, { language, text })
  return text
}

function writeArrival(arrival: Arrival, language: Language): string {
  const texts = promptTexts[language]
  const at = writtenTime(arrival.at, arrival.offset)
  const after = (ms: number): string => passedTime(ms, texts.units)
  switch (arrival.kind) {
    case 'message':
      return shortBlock('message', { from: arrival.from, at }, toPlainText(arrival.text))
    case 'request':
      return block(
        'request',
        { id: arrival.handle, from: `@${arrival.from}`, session: arrival.session ?? undefined, at },
        requestBody(arrival, language),
      )
    case 'ask-back': {
      const about = arrival.request === null ? '' : `${texts.yourRequestWas}\n${quote(toPlainText(arrival.request))}\n\n`
      const body = `${about}${askBackMarker}\n${quote(toPlainText(arrival.text))}`
      return block('ask-back', { id: arrival.handle, from: `@${arrival.from}`, about: arrival.about ?? undefined, at }, body)
    }
    case 'reply': {
      const { to, from, session, status, passedMs, request } = arrival
      const about = request === null ? '' : `${texts.yourRequestWas}\n${quote(toPlainText(request))}\n\n`
      const attributes = { to, from: `@${from}`, session: session ?? undefined, status: status ?? undefined, after: after(passedMs), at }
      return block('reply', attributes, `${about}${replyText(arrival)}`)
    }
    case 'answer': {
      const { to, by, outcome, passedMs } = arrival
      return shortBlock('answer', { to, by, outcome, after: after(passedMs), at }, toPlainText(arrival.text))
    }
    case 'outcome': {
      const { of, tool, passedMs, stopped } = arrival
      const text = stopped ? texts.stopped(toNoteName(stopped.by, texts.aPerson), stopped.hasStarted) : toPlainText(arrival.text)
      return shortBlock('outcome', { of, tool, after: after(passedMs), at }, text)
    }
    case 'data':
      return block(arrival.block, { name: arrival.name ?? undefined }, toPlainText(arrival.text))
  }
}

/** The marker of the status, then the words. A fresh mind wrote its marker itself. */
export const replyText = ({ status, text }: { status: ReplyStatus | null; text: string }): string =>
  status === null ? toPlainText(text) : `${statusMarkers[status]}\n${toPlainText(text)}`

function requestBody({ from, session, text, isReasoning }: Extract<Arrival, { kind: 'request' }>, language: Language): string {
  const { header, reasoningHeader, now } = dialogTexts[language]
  const { deliverWithReply, reasonAlone } = promptTexts[language]
  const first = isReasoning ? reasoningHeader(toPlainText(from)) : header(toPlainText(from))
  const name = session === null ? null : toPlainText(session)
  return `${first}\n\n${now(name)}\n${quote(toPlainText(text))}\n\n${isReasoning ? reasonAlone : deliverWithReply}`
}

export function noteText(note: Note, language: Language): string {
  const { notes, units, aPerson, day } = promptTexts[language]
  const after = (ms: number): string => passedTime(ms, units)
  switch (note.kind) {
    case 'time':
      return notes.time(writtenDay(note.at, note.offset, { day }), after(note.passedMs))
    case 'stopped':
      return notes.stopped(toNoteName(note.by, aPerson))
    case 'continued':
      return notes.continued(toNoteName(note.by, aPerson), after(note.passedMs))
    case 'ask-back':
      return note.handles.map(notes.askBack).join('\n')
    case 'reply-nudge':
      return notes.replyNudge(note.handle)
    case 'caution':
      return notes.caution(writtenCount(note.used), writtenCount(note.window))
    case 'critical':
      return notes.critical(note.steps)
    case 'budget':
      return notes.budget(note.percent)
    case 'diligence':
      return notes.diligence
    case 'team':
      return note.change === 'joined' ? notes.joined(note.agent, toPlainText(note.about).replaceAll(/\s+/g, ' ')) : notes.left(note.agent)
    case 'tool-gone':
      return notes.toolGone(note.tool)
    case 'new-course':
      return notes.newCourse(note.course, note.isFull)
    case 'compacted':
      return notes.compacted
  }
}

/** All notes of a batch are one block. */
export const notesText = (notes: readonly Note[], language: Language): string =>
  shortBlock('runtime', {}, notes.map((note) => noteText(note, language)).join('\n'))

export function resultText(result: ResultText, language: Language): string {
  const texts = promptTexts[language]
  switch (result.is) {
    case 'outcome': {
      const text = toPlainText(result.text)
      return text.trim() === '' ? texts.noOutput : text
    }
    case 'waiting': {
      const { handle, waiting } = result
      if (waiting.for === 'request') return texts.requestOut(handle, toPlainText(waiting.agent))
      return waiting.for === 'question' ? texts.questionOut(handle) : texts.approvalOut(handle)
    }
    case 'stopped':
      return texts.stopped(toNoteName(result.by, texts.aPerson), result.hasStarted)
    case 'interrupted':
      return texts.interrupted
    case 'shortened':
      return `[${result.tool}: ${result.chars} characters, ${result.ok ? 'ok' : 'failed'}; recall_output ${result.handle}]`
  }
}

export function courseBlockText(of: CourseBlock, language: Language): string {
  switch (of.block) {
    case 'memories':
    case 'task-document':
    case 'trail':
      return block(of.block, {}, toPlainText(of.text))
    case 'reminders':
      return block('reminders', {}, of.reminders.map((text, at) => `${at + 1}. ${toPlainText(text)}`).join('\n'))
    case 'waiting':
      return block('waiting', {}, of.waiting.map((line) => waitingLine(line, language)).join('\n'))
    case 'pinned':
      return arrivalText(of.arrival, language)
  }
}

function waitingLine({ handle, waiting, tool, session, passedMs, text }: WaitingLine, language: Language): string {
  const texts = promptTexts[language]
  const passed = passedTime(passedMs, texts.units)
  const first = toPlainText((text.split('\n', 1)[0] ?? '').slice(0, longestLine))
  if (waiting.for === 'request')
    return texts.waitsForReply(handle, toPlainText(waiting.agent), session === null ? null : toPlainText(session), passed, first)
  if (waiting.for === 'question') return texts.waitsForAnswer(handle, passed, first)
  return texts.waitsForApproval(handle, toPlainText(tool), passed, first)
}
