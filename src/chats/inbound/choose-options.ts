import { type Answers, explainAnswer, listOptions } from '../../dialogs/rules/question.ts'
import { ParleyError } from '../../errors.ts'
import { readLanguage } from '../../shapes/language.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { takingTurns } from '../../streams/taking-turns.ts'
import { announceViews, type AskedAt, askedAtKey } from '../announce/announce-views.ts'
import { closedQuestionMessage, questionMessage } from '../announce/question-message.ts'
import type { ControlTap } from './control-tap.ts'
import type { InboundParts } from './inbound-parts.ts'

/** A tap below a question with several options: toggles one of them, or sends those that are chosen. */
export type OptionTap = { type: 'option'; question: string; option: number | 'done' }

type ChooseParts = Pick<InboundParts, 'store' | 'committer' | 'parley' | 'outbox'>

/** Two quick taps on the same message must both count. */
const inTurn = takingTurns()

export async function chooseOption(parts: ChooseParts, { question, option }: OptionTap, tap: ControlTap): Promise<void> {
  if (option !== 'done') return inTurn(askedAtKey(question, tap), () => toggle(parts, question, option, tap))
  const view = await parts.parley.questions.get(question)
  await parts.parley.questions.answer(question, { answers: await chosenAnswers(parts, view, tap) }, tap.caller)
}

/** The toast when too few or too many options are chosen; null when they can be sent. */
export async function explainOptions(parts: ChooseParts, { question, option }: OptionTap, tap: ControlTap): Promise<string | null> {
  if (option !== 'done') return null
  const view = await parts.parley.questions.get(question)
  const [item] = view.ask.items
  const answers = await chosenAnswers(parts, view, tap)
  return item ? explainAnswer(item, answers[item.id] ?? '', readLanguage(tap.by.language)) : null
}

async function chosenAnswers({ store }: ChooseParts, { id, ask }: QuestionView, tap: ControlTap): Promise<Answers> {
  const row = await store.row(announceViews.askedAt, askedAtKey(id, tap))
  return { [ask.items[0]?.id ?? '']: ((row?.body as AskedAt | undefined)?.choosing?.values ?? []).join('\n') }
}

async function toggle({ store, committer, parley, outbox }: ChooseParts, question: string, index: number, tap: ControlTap): Promise<void> {
  const row = await store.row(announceViews.askedAt, askedAtKey(question, tap))
  const copy = row?.body as AskedAt | undefined
  const view = await parley.questions.get(question)
  const options = listOptions(view.ask.items[0])
  const tapped = options[index]?.value
  if (view.state !== 'open' || tapped === undefined) return
  // The message can be tapped a moment before its row is stored: the tap is retried.
  if (!row || !copy) throw new ParleyError('busy')
  if (!copy.choosing) return
  const { shown, values: before } = copy.choosing
  const values = options.flatMap(({ value }) => ((value === tapped) !== before.includes(value) ? [value] : []))
  // A tap that is handled again after a crash toggles nothing.
  const { ok } = await committer.commit({
    once: [{ key: `toggle:${tap.caller.once?.key ?? ''}`, value: index }],
    rows: [{ ...row, body: { ...copy, choosing: { shown, values } } satisfies AskedAt }],
  })
  await outbox.edit(copy.delivery, questionMessage(view, shown.language, { ...shown, chosen: ok ? values : before }), { orKeep: true })
  const after = await parley.questions.get(question)
  if (after.state === 'open') return
  await outbox.edit(copy.delivery, closedQuestionMessage(after, shown.language, shown), { orKeep: true })
  await committer.commit({ rows: [{ view: row.view, key: row.key, body: null }] })
}
