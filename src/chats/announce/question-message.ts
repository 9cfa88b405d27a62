import type { Language } from '../../shapes/language.ts'
import { chatQuestionWords } from '../../words/index.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import {
  answerHint,
  type Answers,
  controlFor,
  describeAnswer,
  explainAnswer,
  type Question,
  type QuestionOption,
} from '../../dialogs/rules/question.ts'
import { approvalDecisions, type MessagePresentationButton } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { shownName } from './shown-pieces.ts'

/**
 * A question as people get it in a chat: a choice as buttons, words as a reply. Outside the chats of its dialog, and for a
 * side dialog, it names the agent; in a group it names who may answer.
 */
export function questionMessage(
  { id, ask, agent, dialogTitle, audience }: QuestionView,
  language: Language,
  {
    isElsewhere,
    isGroup = false,
    isSide = false,
    chosen,
  }: {
    isElsewhere: boolean
    isGroup?: boolean
    isSide?: boolean
    /** The options chosen so far, where buttons toggle them. */
    chosen?: readonly string[]
  },
): ReplyPayload {
  const chatWords = chatQuestionWords[language]
  const asker = isElsewhere ? [chatWords.asks(agent, dialogTitle)] : isSide ? [chatWords.asksHere(agent)] : []
  const addressee =
    !isGroup || !audience
      ? []
      : audience.kind === 'everyone'
        ? [chatWords.isForAll]
        : [chatWords.isFor(audience.names.map(shownName).join(', '))]
  const context = [...asker, ...addressee].map((text) => ({ type: 'context' as const, text }))
  const [only] = ask.items
  const control = only && controlFor(only)
  if (ask.items.length === 1 && control?.type === 'options') {
    const { options } = control
    const buttons = options.map((option): MessagePresentationButton => ({
      label: option.label,
      ...meaning(id, option.value, options),
    }))
    const hints = options.flatMap(({ label, hint }) => (hint === undefined ? [] : [chatWords.labelled(label, hint)]))
    return {
      presentation: {
        blocks: [
          { type: 'text', text: getText(ask) },
          ...(hints.length > 0 ? [{ type: 'context' as const, text: hints.join('\n') }] : []),
          ...context,
          { type: 'buttons', buttons },
        ],
      },
    }
  }
  if (chosen && only && control?.type === 'checks')
    return {
      presentation: {
        blocks: [
          { type: 'text', text: getText(ask) },
          { type: 'context', text: explainAnswer(only, '', language) ?? '' },
          ...context,
          { type: 'buttons', buttons: toggleButtons(control.options, chosen, chatWords.done(chosen.length)) },
        ],
      },
    }
  return {
    presentation: {
      blocks: [
        { type: 'text', text: listed(ask, language) },
        {
          type: 'context',
          text: ask.items.length > 1 || !only ? chatWords.replyMany : [chatWords.reply, answerHint(only, language)].join(' ').trim(),
        },
        ...context,
      ],
    },
  }
}

/** The same message once it is decided: who said what, and nothing left to tap. */
export function closedQuestionMessage(
  { ask, state, closed, agent, dialogTitle }: QuestionView,
  language: Language,
  { isElsewhere }: { isElsewhere: boolean },
): ReplyPayload {
  const chatWords = chatQuestionWords[language]
  const by = closed?.by ?? ''
  const outcome =
    state === 'answered'
      ? `✓ ${chatWords.answered(by)}${answersIn(ask, closed?.answers ?? {}, language)}`
      : state === 'declined'
        ? chatWords.declined(by)
        : state === 'cancelled'
          ? chatWords.cancelled()
          : chatWords.expired()
  return {
    presentation: {
      blocks: [
        { type: 'text', text: ask.items.length === 1 ? getText(ask) : listed(ask, language) },
        ...(isElsewhere ? [{ type: 'context' as const, text: chatWords.asks(agent, dialogTitle) }] : []),
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

/** A single question with several options; a set is answered in writing. */
export const hasToggles = ({ items }: Question): boolean =>
  items.length === 1 && items[0] !== undefined && controlFor(items[0]).type === 'checks'

const toggleButtons = (options: readonly QuestionOption[], chosen: readonly string[], done: string): MessagePresentationButton[] => [
  ...options.map(({ value, label }, index): MessagePresentationButton => ({
    label: `${chosen.includes(value) ? '☑' : '☐'} ${label}`,
    action: { type: 'callback', value: `toggle:${index}` },
    reusable: true,
  })),
  { label: done, action: { type: 'callback', value: 'toggle:done' }, reusable: true, style: 'primary', priority: 1 },
]

function getText({ text, items }: Question): string {
  const [only] = items
  const own = only?.text ?? ''
  return [text, own === text ? '' : own].filter((part) => part.trim() !== '').join('\n\n')
}

/** With each question before its answer, where there are several. */
function answersIn(ask: Question, answers: Answers, language: Language): string {
  const described = ask.items.map((item) => ({ item, text: describeAnswer(item, answers[item.id] ?? '', language) }))
  if (ask.items.length === 1) return described[0]?.text ?? ''
  return described.map(({ item, text }) => chatQuestionWords[language].labelled(item.text || item.id, text)).join('\n')
}

function listed(ask: Question, language: Language): string {
  if (ask.items.length === 1) return getText(ask)
  const lines = ask.items.map((item, index) => {
    const hint = answerHint(item, language)
    return `${index + 1}. ${item.text || ask.text}${hint === '' ? '' : chatQuestionWords[language].hint(hint)}`
  })
  return [ask.text, lines.join('\n')].filter((part) => part.trim() !== '').join('\n\n')
}
