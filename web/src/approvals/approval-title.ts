import type { ApprovalView } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { handleName } from '../chat/author.ts'
import { withVisibleCharacters } from './visible-characters.ts'

/** The server hides the call from readers who may not decide about it; the log then has an empty text. */
export const isShown = (approval: ApprovalView | undefined): approval is ApprovalView =>
  approval !== undefined && !approval.isHidden && approval.shown.text !== ''

/** The heading in the reader's language, the same on the card, in the inbox and in the log. */
export function approvalTitle(
  { agent, approval }: { agent: string; approval?: ApprovalView | undefined },
  { approval: own }: PageWords,
): string {
  if (!isShown(approval)) return own.asks(handleName(agent))
  const { kind, target, server } = approval.shown
  return withVisibleCharacters(own.title[kind](handleName(agent), target, server))
}
