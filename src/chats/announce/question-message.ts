import type { QuestionView } from '../client/wire.ts'
import { type Answers, type Question, readAnswers } from '../dialog/question.ts'
import { approvalDecisions, type MessagePresentationButton } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { shownName } from './shown-pieces.ts'

type Spoken = 'en' | 'zh'

const words = {
  en: {
    reply: 'Reply to this message with your answer.',
    replyMany: 'Reply to this message with one line for each number, such as "1: …".',
    choose: (labels: string) => `One of: ${labels}.`,
    labelled: (label: string, text: string) => `${label}: ${text}`,
    asks: (agent: string, title: string) => `${agent} asks · ${title}`,
    asksHere: (agent: string) => `${agent} asks`,
    isFor: (names: string) => `For ${names}`,
    isForAll: 'Anybody here can answer.',
    answered: (by: string) => `Answered by ${by}: `,
    declined: (by: string) => `${by} did not want to answer.`,
    cancelled: () => 'Taken back: an answer is not needed any more.',
    expired: () => 'The time to answer is over.',
  },
  zh: {
    reply: '请回复这条消息来作答。',
    replyMany: '请回复这条消息，每个编号一行，例如“1：…”。',
    choose: (labels: string) => `可选：${labels}。`,
    labelled: (label: string, text: string) => `${label}：${text}`,
    asks: (agent: string, title: string) => `${agent} 提问 · ${title}`,
    asksHere: (agent: string) => `${agent} 提问`,
    isFor: (names: string) => `请 ${names} 回答`,
    isForAll: '这里的任何人都可以回答。',
    answered: (by: string) => `${by} 的回答：`,
    declined: (by: string) => `${by} 不想回答。`,
    cancelled: () => '已撤回：不再需要回答。',
    expired: () => '回答时间已过。',
  },
} as const

/**
 * A question as people get it in a chat: a choice as buttons, words as a reply. Outside the chats of its dialog, and for a
 * side dialog, it names the agent; in a group it names who may answer.
 */
export function questionMessage(
  { id, ask, agent, dialogTitle, audience }: QuestionView,
  language: Spoken,
  { isElsewhere, isGroup = false, isSide = false }: { isElsewhere: boolean; isGroup?: boolean; isSide?: boolean },
): ReplyPayload {
  const said = words[language]
  const asker = isElsewhere ? [said.asks(agent, dialogTitle)] : isSide ? [said.asksHere(agent)] : []
  const addressee =
    !isGroup || !audience ? [] : audience.kind === 'everyone' ? [said.isForAll] : [said.isFor(audience.names.map(shownName).join(', '))]
  const context = [...asker, ...addressee].map((text) => ({ type: 'context' as const, text }))
  const [only] = ask.items
  if (ask.items.length === 1 && only?.kind === 'choice') {
    const buttons = only.options.map((option): MessagePresentationButton => ({
      label: option.label,
      ...meaning(id, option.value, only.options),
    }))
    const hints = only.options.flatMap(({ label, hint }) => (hint === undefined ? [] : [said.labelled(label, hint)]))
    return {
      presentation: {
        blocks: [
          { type: 'text', text: textOf(ask) },
          ...(hints.length > 0 ? [{ type: 'context' as const, text: hints.join('\n') }] : []),
          ...context,
          { type: 'buttons', buttons },
        ],
      },
    }
  }
  return {
    presentation: {
      blocks: [
        { type: 'text', text: listed(ask, language) },
        { type: 'context', text: ask.items.length === 1 ? said.reply : said.replyMany },
        ...context,
      ],
    },
  }
}

/** The same message once it is decided: who said what, and nothing left to tap. */
export function closedQuestionMessage(
  { ask, state, closed, agent, dialogTitle }: QuestionView,
  language: Spoken,
  { isElsewhere }: { isElsewhere: boolean },
): ReplyPayload {
  const said = words[language]
  const by = closed?.by ?? ''
  const outcome =
    state === 'answered'
      ? `✓ ${said.answered(by)}${answersIn(ask, closed?.answers ?? {}, language)}`
      : state === 'declined'
        ? said.declined(by)
        : state === 'cancelled'
          ? said.cancelled()
          : said.expired()
  return {
    presentation: {
      blocks: [
        { type: 'text', text: ask.items.length === 1 ? textOf(ask) : listed(ask, language) },
        ...(isElsewhere ? [{ type: 'context' as const, text: said.asks(agent, dialogTitle) }] : []),
        { type: 'text', text: outcome },
      ],
    },
  }
}

/** Leave for something: its options are the decisions a person can take, whatever they are called. */
function meaning(
  question: string,
  value: string,
  options: readonly { value: string }[],
): Pick<MessagePresentationButton, 'action' | 'style'> {
  const decision = approvalDecisions.find((one) => one === value)
  const isApproval = decision !== undefined && options.every((one) => (approvalDecisions as readonly string[]).includes(one.value))
  if (!isApproval) return { action: { type: 'question', questionId: question, optionValue: value } }
  return {
    action: { type: 'approval', approvalId: question, approvalKind: 'exec', decision },
    style: decision === 'deny' ? 'danger' : 'success',
  }
}

function textOf({ text, items }: Question): string {
  const [only] = items
  const own = only?.text ?? ''
  return [text, own === text ? '' : own].filter((part) => part.trim() !== '').join('\n\n')
}

/** With each question before its answer, where there are several. */
function answersIn(ask: Question, answers: Answers, language: Spoken): string {
  if (ask.items.length === 1) return readAnswers(ask, answers)
  return ask.items.map((item) => words[language].labelled(item.text || item.id, readAnswers({ ...ask, items: [item] }, answers))).join('\n')
}

function listed(ask: Question, language: Spoken): string {
  if (ask.items.length === 1) return textOf(ask)
  const lines = ask.items.map((item, index) => {
    const choices =
      item.kind === 'choice'
        ? `${language === 'zh' ? '' : ' '}${words[language].choose(item.options.map(({ label }) => label).join(language === 'zh' ? '、' : ', '))}`
        : ''
    return `${index + 1}. ${item.text || ask.text}${choices}`
  })
  return [ask.text, lines.join('\n')].filter((part) => part.trim() !== '').join('\n\n')
}
