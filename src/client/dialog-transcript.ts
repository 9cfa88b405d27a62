import { askHuman, describeAnswers, listOptions, type Question } from '../dialogs/rules/question.ts'
import type { BranchedMessage, DialogEvent } from '../dialogs/rules/dialog-events.ts'
import { tellaskTools } from '../dialogs/rules/tellask.ts'
import type { DialogSummary, EventView } from '../shapes/wire.ts'

/** All others are not part of a transcript. */
type ShownEvent = Extract<
  DialogEvent,
  {
    type:
      | 'message.said'
      | 'dialog.branched'
      | 'turn.stopped'
      | 'question.asked'
      | 'question.answered'
      | 'answer.withdrawn'
      | 'question.declined'
      | 'tool.called'
      | 'tool.returned'
      | 'tellask.made'
      | 'reply.received'
  }
>

const shownOtherwise = new Set<string>([askHuman, ...Object.values(tellaskTools)])

/** A dialog as Markdown: who, when, and the words, without words of Parley, so that it needs no language. */
export function dialogTranscript({ id, agent, title, language }: Pick<DialogSummary, 'id' | 'agent' | 'title' | 'language'>): {
  head: string
  write(event: EventView): string
} {
  const asked = new Map<string, Question>()
  const entry = (who: string, at: number, text: string): string => `## ${inLine(who)} · ${new Date(at).toISOString()}\n\n${text}\n\n`
  const message = ({ by, text, files = [] }: Pick<BranchedMessage, 'by' | 'text' | 'files'>, at: number): string =>
    entry(by.name, at, [text, ...files.map(({ name }) => `📎 ${inLine(name)}`)].join('\n\n').trim())

  function write(event: EventView): string {
    const { at } = event
    const { type, data } = event as EventView & ShownEvent
    switch (type) {
      case 'message.said':
        return message(data, at)
      case 'dialog.branched':
        return [...data.messages.map((said) => message(said, said.at)), `⑂ ${data.from}\n\n`].join('')
      case 'turn.stopped':
        return data.text === null ? '' : entry(agent, at, `${data.text}\n\n■`)
      case 'question.asked':
        asked.set(data.question, data.ask)
        return entry(data.by.name, at, askedText(data.ask))
      case 'question.answered': {
        const ask = asked.get(data.question)
        const answer = data.decision ?? (ask ? describeAnswers(ask, data.answers, language) : Object.values(data.answers).join('\n'))
        return entry(data.by.name, at, [`→ ${answer}`, ...(data.note === undefined ? [] : [data.note])].join('\n\n'))
      }
      case 'answer.withdrawn':
        return entry(data.by.name, at, '↶')
      case 'question.declined':
        return entry(data.by.name, at, `✗ ${data.reason ?? ''}`.trim())
      case 'tool.called':
        return shownOtherwise.has(data.name) ? '' : `\`${inLine(data.name)}\`\n\n${fenced(data.input)}\n\n`
      case 'tool.returned':
        return `${data.ok ? '✓' : '✗'}\n\n${fenced(data.output)}\n\n`
      case 'tellask.made':
        return entry(agent, at, `→ @${inLine(data.agent)}\n\n${data.content}`)
      case 'reply.received':
        return entry(agent, at, `←\n\n${data.text}`)
      default:
        return ''
    }
  }
  return { head: `# ${inLine(title === '' ? id : title)}\n\n${id} · ${inLine(agent)}\n\n`, write }
}

const inLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function askedText({ text, items }: Question): string {
  const parts = items.map((item) => [`? ${item.text || text}`, ...listOptions(item).map(({ label }) => `- ${label}`)].join('\n'))
  return items.length > 1 && text !== '' ? [text, ...parts].join('\n\n') : parts.join('\n\n')
}

/** The fence is longer than any in the text. */
function fenced(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
