import type { DialogEvent, EventView } from '../shapes/wire.ts'
import { askHuman, type Question, describeAnswers } from '../dialogs/rules/question.ts'
import { describeFile } from '../dialogs/rules/message-file.ts'
import { tellaskTools, withoutMarker } from '../dialogs/rules/tellask.ts'
import { describeError } from '../errors.ts'
import { asTypedHere } from './command-name.ts'
import { terminalHint } from './terminal-hint.ts'
import type { Approval } from '../dialogs/rules/approval.ts'
import type { Author } from '../authority/roles.ts'
import { withVisibleCharacters } from '../authority/visible-text.ts'
import { callLines, decisionName } from './approval-words.ts'
import { clockTime } from './age.ts'
import { oneLine, plainText } from './plain-text.ts'
import { presentationLines } from './presentation-lines.ts'
import { questionLines } from './question-words.ts'
import type { Paint } from './terminal.ts'
import { isNote } from '../dialogs/rules/dialog-events.ts'
import { noteText } from '../words/note-text.ts'
import { indented } from './word-wrap.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

/** The owner without a name of their own, who runs this server. */
const namelessOwner = 'owner'

const toldOtherwise = new Set<string>([askHuman, ...Object.values(tellaskTools)])

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Reads events in order and says each one in words. Remembers only what later events refer back to. */
export class EventReader {
  readonly #words: TerminalWords
  readonly #paint: Paint
  readonly #width: number
  readonly #asked = new Map<string, Question>()
  readonly #approvals = new Set<string>()
  readonly #tools = new Map<string, string>()
  readonly #teammates = new Map<string, string>()
  agent = ''
  /** The name of the caller, who reads "You". */
  reader: string = namelessOwner

  constructor(words: TerminalWords, paint: Paint, width: number) {
    this.#width = width
    this.#words = words
    this.#paint = paint
  }

  #personName(name: string): string {
    if (name === this.reader) return this.#words.you
    return name === namelessOwner ? capitalized(this.#words.theOwner) : oneLine(name)
  }

  /** Lines for a person; none for what only matters to the machine. */
  lines(event: EventView): string[] {
    const words = this.#words
    const paint = this.#paint
    const quiet = (text: string): string[] => [paint.dim(`  · ${text}`)]
    const typedEvent = event as EventView & DialogEvent
    if (isNote(typedEvent)) return quiet(oneLine(noteText(words.dialogNotes, typedEvent, (name) => this.#personName(name))))
    switch (typedEvent.type) {
      case 'dialog.opened':
        this.agent = typedEvent.data.agent
        return quiet(words.opened(typedEvent.data.agent))
      case 'dialog.branched':
        return [
          ...typedEvent.data.messages.flatMap(({ text, by, at, files }) =>
            this.lines({ ...event, at, type: 'message.said', data: { by, text, ...(files && { files }) } }),
          ),
          ...quiet(words.branched(typedEvent.data.from)),
        ]
      case 'message.said': {
        const { by, shown, files = [] } = typedEvent.data
        const text = shown?.words ?? typedEvent.data.text
        const name = by.kind === 'human' ? paint.green(paint.bold(this.#personName(by.name))) : paint.cyan(paint.bold(oneLine(by.name)))
        const named = files.map((file) => paint.dim(`  ${oneLine(describeFile(file))}`))
        const card = shown ? presentationLines(shown.presentation, { words, paint, width: this.#width }) : []
        const lines = text.trim() === '' && (named.length > 0 || shown) ? [] : indented(plainText(text).trimEnd(), this.#width)
        return [`${name} ${paint.dim(clockTime(typedEvent.at))}`, ...lines, ...card, ...named]
      }
      case 'generation.failed': {
        const { code, details, retryAt } = typedEvent.data
        const again = retryAt === null ? '' : ` (${words.retries(Math.max(0, Math.round((retryAt - typedEvent.at) / 1_000)))})`
        return [paint.yellow(`  ! ${plainText(describeError(code, details).message)}${again}`)]
      }
      case 'tool.called':
        this.#tools.set(typedEvent.data.call, typedEvent.data.name)
        // A request, and a question to a person, are told in their own words.
        return toldOtherwise.has(typedEvent.data.name) ? [] : quiet(words.tool(oneLine(typedEvent.data.name)))
      case 'tool.returned':
        return typedEvent.data.ok ? [] : [paint.yellow(`  ! ${words.toolFailed(this.#tools.get(typedEvent.data.call) ?? '?')}`)]
      case 'question.asked':
        this.#asked.set(typedEvent.data.question, typedEvent.data.ask)
        // A caller who may not decide gets the waiting line in place of the call.
        if (typedEvent.data.approval && typedEvent.data.ask.items.length === 0) return quiet(oneLine(typedEvent.data.ask.text))
        if (typedEvent.data.approval)
          return this.#approval(
            typedEvent.data.question,
            typedEvent.data.ask.text,
            typedEvent.data.approval,
            typedEvent.data.cause?.by ?? [],
          )
        return [
          ...questionLines({ agent: oneLine(typedEvent.data.by.name), ask: typedEvent.data.ask }, words, paint),
          paint.dim(`  ${typedEvent.data.question}`),
        ]
      case 'question.answered': {
        const ask = this.#asked.get(typedEvent.data.question)
        const { decision, note } = typedEvent.data
        if (decision !== undefined)
          return [
            `${decision === 'deny' ? paint.yellow('✗') : paint.green('✓')} ${words.approvals.decidedBy(this.#personName(typedEvent.data.by.name), decisionName(decision, words))}`,
            ...(note === undefined ? [] : indented(plainText(note), this.#width)),
          ]
        const answer = ask
          ? describeAnswers(ask, typedEvent.data.answers, words.language)
          : Object.values(typedEvent.data.answers).join(', ')
        const [first = '', ...rest] = plainText(answer).split('\n')
        return [
          `${paint.green('✓')} ${words.answeredBy(this.#personName(typedEvent.data.by.name))}${words.colon}${first}`,
          ...rest.map((line) => `  ${line}`),
        ]
      }
      case 'answer.withdrawn':
        return quiet(words.answerWithdrawnBy(this.#personName(typedEvent.data.by.name)))
      case 'question.declined':
        return [
          `${paint.yellow('✗')} ${words.declinedBy(this.#personName(typedEvent.data.by.name))}${typedEvent.data.reason ? `: ${oneLine(typedEvent.data.reason)}` : ''}`,
        ]
      case 'question.cancelled':
        if (typedEvent.data.why === 'stopped' && this.#approvals.has(typedEvent.data.question))
          return quiet(words.approvals.shared.status.stopped)
        if (typedEvent.data.why === 'covered') return quiet(words.approvals.covered)
        return [
          paint.dim(
            `  · ${words.cancelledBy(this.#personName(typedEvent.data.by.name))}${typedEvent.data.reason ? `: ${oneLine(typedEvent.data.reason)}` : ''}`,
          ),
        ]
      case 'approval.key-given':
        return [`${paint.green('✓')} ${words.approvals.keyGiven(this.#personName(typedEvent.data.by.name))}`]
      case 'answer.refused':
        return quiet(words.approvals.answerRefused(this.#personName(typedEvent.data.by.name)))
      case 'grant.made':
        return quiet(words.approvals.grantMade(oneLine(withVisibleCharacters(typedEvent.data.grant.scope))))
      case 'grant.ended':
        return quiet(words.approvals.grantEnded(typedEvent.data.grant))
      case 'taskdoc.read':
        return quiet(words.approvals.taskdocRead(words.approvals.shared.roles[typedEvent.data.role]))
      case 'question.expired':
        return [paint.dim(`  · ${words.expired}`)]
      case 'turn.failed': {
        const { message, hint } = describeError(typedEvent.data.code, typedEvent.data.details)
        const next = asTypedHere(terminalHint(hint, `parley dialogs continue ${typedEvent.stream}`))
        return [`${paint.red('✗')} ${plainText(message)}`, `  ${paint.cyan('→')} ${plainText(next)}`]
      }
      case 'turn.stopped': {
        const { text } = typedEvent.data
        const textLines = text === null ? [] : [paint.cyan(paint.bold(this.agent)), ...indented(plainText(text), this.#width)]
        return [...textLines, paint.yellow(`  ■ ${words.status.stopped}`)]
      }
      case 'stop.requested':
        return quiet(words.stopAsked)
      case 'latch.set':
        return quiet(words.latchSet(this.#personName(typedEvent.data.by.name)))
      case 'dialog.held':
        return quiet(words.heldBy(this.#personName(typedEvent.data.by)))
      case 'latch.lifted':
      case 'dialog.continued':
        return quiet(words.continued)
      case 'tellask.made': {
        const { tellask, mode, agent, content, to } = typedEvent.data
        this.#teammates.set(tellask, agent)
        const what = mode === 'reasoning' ? words.thinksAfresh : words.asksTeammate(oneLine(agent))
        return [`${paint.cyan('→')} ${paint.bold(what)}: ${oneLine(withoutMarker(content))}`, paint.dim(`  ${to}`)]
      }
      case 'tellask.received': {
        const { tellask, mode, by, content, from } = typedEvent.data
        this.#teammates.set(tellask, by)
        const what = mode === 'back' ? words.asksBack(oneLine(by)) : words.askedBy(oneLine(by))
        return [
          `${paint.cyan('←')} ${paint.bold(what)} ${paint.dim(clockTime(typedEvent.at))}`,
          ...indented(plainText(withoutMarker(content)), this.#width),
          paint.dim(`  ${from}`),
        ]
      }
      case 'reply.given':
        return [`${paint.green('✓')} ${words.repliedTo(oneLine(this.#teammates.get(typedEvent.data.tellask) ?? '?'))}`]
      case 'reply.received': {
        const name = oneLine(this.#teammates.get(typedEvent.data.tellask) ?? '?')
        const isReply = typedEvent.data.outcome === 'replied'
        return [
          isReply ? `${paint.green('✓')} ${words.repliedBy(name)}:` : `${paint.yellow('✗')} ${words.noReply(name)}:`,
          ...indented(plainText(withoutMarker(typedEvent.data.text)), this.#width),
        ]
      }
      case 'course.started':
        return typedEvent.data.why === 'first' ? [] : quiet(words.newCourse(typedEvent.data.course))
      case 'prompt.added':
        return quiet(`${words.prompted}: ${oneLine(typedEvent.data.text)}`)
      case 'dialog.died':
        return [
          `${paint.red('†')} ${words.died(this.#personName(typedEvent.data.by.name))}${typedEvent.data.note ? `: ${oneLine(typedEvent.data.note)}` : ''}`,
        ]
      case 'answer.taken':
      case 'course.requested':
      case 'generation.started':
      case 'epoch.started':
      case 'prompt.compacted':
      case 'prompt.noted':
      case 'prompt.told':
      case 'tool.started':
      case 'turn.started':
      case 'turn.cut':
      case 'turn.finished':
      case 'generation.finished':
      case 'budget.noticed':
      case 'failure.settled':
      case 'session.registered':
      case 'session.dropped':
      case 'reminder.added':
      case 'reminder.updated':
      case 'reminder.deleted':
        return []
      default:
        // A newer server may know more kinds of events.
        return []
    }
  }

  /** The whole call, as an approver sees it. */
  #approval(question: string, title: string, approval: Approval, by: readonly Author[]): string[] {
    this.#approvals.add(question)
    const withoutKeys = { ...approval, requesters: [...by], keysGiven: [] }
    return [...callLines(withVisibleCharacters(title), withoutKeys, this.#words, this.#paint), this.#paint.dim(`  ${question}`)]
  }
}
