import { toTapText } from '../message/tap-text.ts'
import { readLanguage } from '../../shapes/language.ts'
import { messagingWords } from '../../words/index.ts'
import { roleCan } from '../../authority/capabilities.ts'
import { isAtLeast } from '../../authority/roles.ts'
import { ParleyError } from '../../errors.ts'
import { requestKey } from '../../streams/asking.ts'
import { isOpenFailure } from '../announce/failure-message.ts'
import { onlyThey } from '../announce/refusal-text.ts'
import { bindingStream } from '../bindings/binding-kind.ts'
import { chooseOption, explainOptions } from './choose-options.ts'
import { isRefusal } from './callers.ts'
import type { ControlTap } from './control-tap.ts'
import type { InboundParts } from './inbound-parts.ts'
import { notice } from './notices.ts'
import type { TapMeaning } from './tap-meaning.ts'

export type TapActionParts = Pick<
  InboundParts,
  'store' | 'committer' | 'outbox' | 'bindings' | 'parley' | 'dialogStreams' | 'approvals' | 'pairings' | 'clock' | 'log'
>

/** The toast for a person who may not decide; null when they may. Checked before the control is used up. */
export async function refuseTap(parts: TapActionParts, meaning: TapMeaning, tap: ControlTap): Promise<string | null> {
  const { parley, approvals, pairings } = parts
  const { by, caller } = tap
  if (meaning.type === 'approval-card') return approvals.refusal(meaning.card, tap)
  if (meaning.type === 'pairing')
    return isAtLeast(caller.by.role ?? 'guest', 'operator') ? null : onlyThey(pairings.deciderNames(), by.language)
  if (meaning.type === 'failure') {
    // A person who may write in this dialog may retry it: another message does that too.
    const capability = meaning.verb === 'retry' && meaning.dialog === tap.dialog ? 'write.own' : 'write.all'
    return roleCan(caller.by.role ?? 'guest', capability, { isInChat: true }) ? null : onlyThey(pairings.deciderNames(), by.language)
  }
  if (meaning.type !== 'answer' && meaning.type !== 'option') return null
  const refusal = await parley.questions.refusalFor(meaning.question, caller)
  if (refusal === null) return null
  await parley.questions.recordRefusal(meaning.question, caller)
  return onlyThey(refusal.names, by.language)
}

/** The toast for a tap that comes too late; null when it counts. */
export async function explainLateTap(parts: TapActionParts, meaning: TapMeaning, tap: ControlTap): Promise<string | null> {
  const { store, parley, dialogStreams, approvals, pairings } = parts
  const { by, caller } = tap
  const words = messagingWords[readLanguage(by.language)]
  if (meaning.type === 'approval-card') return approvals.late(meaning.card, tap)
  if (meaning.type === 'pairing') return (await pairings.isOpen(meaning.about)) ? null : words.already
  if (meaning.type === 'failure') return isOpenFailure(await dialogStreams.load(meaning.dialog), meaning.turn) ? null : words.failureOver
  if (meaning.type === 'shown') {
    const { shown } = await dialogStreams.load(meaning.dialog)
    const used = shown.find((one) => one.used !== null && meaning.messages.includes(one.message))?.used
    // Used by this very tap before a crash: the person sees that it counted.
    if (!used || tap.isReusable || (await store.remembered(requestKey(caller))) !== null) return null
    return words.alreadyBy(used.by)
  }
  if (meaning.type !== 'answer' && meaning.type !== 'option') return null
  const { state, closed } = await parley.questions.get(meaning.question)
  // Answered by this very tap before a crash: the person sees that it counted.
  if (state === 'open') return meaning.type === 'option' ? explainOptions(parts, meaning, tap) : null
  if ((await store.remembered(requestKey(caller))) !== null) return null
  return closed?.by ? words.alreadyBy(closed.by) : words.already
}

export function toTapToast({ approvals }: Pick<TapActionParts, 'approvals'>, meaning: TapMeaning, tap: ControlTap): string | null {
  // The message itself shows what is chosen.
  if (meaning.type === 'option' && meaning.option !== 'done') return null
  const own = meaning.type === 'approval-card' ? approvals.toast(meaning.card, tap) : null
  return own ?? notice('got', tap.by.language, tap.label)
}

export async function performTap(parts: TapActionParts, meaning: TapMeaning, tap: ControlTap): Promise<void> {
  const { approvals, pairings, log } = parts
  const { channel, delivery, caller, label, dialog } = tap
  try {
    if (meaning.type === 'answer') await answer(parts, meaning, tap)
    else if (meaning.type === 'option') await chooseOption(parts, meaning, tap)
    else if (meaning.type === 'approval-card') await approvals.act(meaning.card, tap)
    else if (meaning.type === 'pairing') await (meaning.isAccepted ? pairings.accept : pairings.decline)(meaning.code, caller.by.name)
    else if (meaning.type === 'failure') await decideFailure(parts, meaning, tap)
    else if (meaning.type === 'command') await sayInDialog(parts, tap, dialog, meaning.text)
    else if (meaning.type === 'shown') await tapShown(parts, meaning, tap)
    else if (meaning.type === 'callback') await sayInDialog(parts, tap, meaning.sender ?? dialog, toTapText(label, meaning.value))
  } catch (error) {
    if (!isRefusal(error)) throw error
    log('info', 'a tap came too late', { channel, delivery, error })
  }
}

async function decideFailure(
  { parley }: Pick<TapActionParts, 'parley'>,
  { dialog, verb }: Extract<TapMeaning, { type: 'failure' }>,
  { caller }: ControlTap,
): Promise<void> {
  await (verb === 'retry' ? parley.dialogs.resume(dialog, caller) : parley.dialogs.giveUpFailure(dialog, caller))
}

async function answer(
  { parley }: Pick<TapActionParts, 'parley'>,
  { question, value }: Extract<TapMeaning, { type: 'answer' }>,
  { caller }: ControlTap,
): Promise<void> {
  const { ask } = await parley.questions.get(question)
  await parley.questions.answer(question, { answers: { [ask.items[0]?.id ?? '']: value } }, caller)
}

/** The dialog takes the tap, so that it counts once on all surfaces. A message it does not know any more is answered in words. */
async function tapShown(
  parts: TapActionParts,
  { dialog, messages, value }: Extract<TapMeaning, { type: 'shown' }>,
  tap: ControlTap,
): Promise<void> {
  for (const message of messages) {
    try {
      return void (await parts.parley.dialogs.tap(dialog, { message, value }, tap.caller))
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== 'control_unknown') throw error
    }
  }
  await sayInDialog(parts, tap, dialog, toTapText(tap.label, value))
}

/** Without a dialog, or when the dialog refuses it, the tap is moved to the inbox. */
async function sayInDialog(parts: TapActionParts, tap: ControlTap, dialog: string | null, text: string): Promise<void> {
  const { bindings, parley, clock } = parts
  const { channel, address, by, caller } = tap
  const moveToInbox = (why: string): Promise<unknown> =>
    bindings.handle(bindingStream(channel, address), [
      { type: 'record-unclaimed', at: clock.now(), id: caller.once?.key ?? '', from: by, text, why },
    ])
  if (dialog === null) return void (await moveToInbox('no dialog belongs to this place'))
  try {
    await parley.dialogs.say(dialog, text, caller)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await moveToInbox(error instanceof Error ? error.message : 'the dialog did not take it')
  }
}
