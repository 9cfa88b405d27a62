import type { Language } from '../../shapes/language.ts'
import { messagingWords } from '../../words/index.ts'
import type { DialogState } from '../../dialogs/rules/dialog-state.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'

/** A tap on Retry or Give up below the message about a failed turn. */
export type FailureTap = { type: 'failure'; dialog: string; turn: number; verb: 'retry' | 'give-up' }

const retry = 'failure:retry'
const giveUp = 'failure:give-up'

export const aboutFailure = (dialog: string, turn: number): string => `failure:${dialog}:${turn}`

/** Values count only below a message about a failure: agents choose values too. */
export function readFailureTap(value: string, about: string | null): FailureTap | null {
  const [, dialog, turn] = /^failure:(.+):(\d{1,15})$/.exec(about ?? '') ?? []
  if (dialog === undefined || (value !== retry && value !== giveUp)) return null
  return { type: 'failure', dialog, turn: Number(turn), verb: value === retry ? 'retry' : 'give-up' }
}

/** The turn is still the last one of its dialog, and a person can decide about its failure. Retry must not lift a stop. */
export const isOpenFailure = ({ rest, failure, turns, latch }: FailedState, turn: number): boolean =>
  rest === 'failed' && failure !== null && !failure.isGivenUp && turns === turn && latch === null

type FailedState = Pick<DialogState, 'rest' | 'failure' | 'turns' | 'latch'>

/** `agent` is that of a side dialog; null for the dialog of the chat itself. */
export function failureMessage(language: Language, { why, agent }: { why: string; agent: string | null }): ReplyPayload {
  const words = messagingWords[language]
  return {
    presentation: {
      tone: 'warning',
      blocks: [
        { type: 'text', text: agent === null ? words.couldNot(why) : words.sideCouldNot(agent, why) },
        {
          type: 'buttons',
          buttons: [
            { label: words.retry, style: 'primary', action: { type: 'callback', value: retry } },
            { label: words.giveUp, action: { type: 'callback', value: giveUp } },
          ],
        },
      ],
    },
  }
}
