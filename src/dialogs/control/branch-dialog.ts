import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { BranchInput, Caller } from '../../shapes/parley.ts'
import type { asking } from '../../streams/asking.ts'
import type { Language } from '../../shapes/language.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { messagingWords } from '../../words/index.ts'
import { dialogView, rootView } from '../rows/dialog-rows.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { BranchedMessage, DialogEvent } from '../rules/dialog-events.ts'
import { dialogLimits, type DialogState } from '../rules/dialog-state.ts'
import type { MessageFile } from '../rules/message-file.ts'
import { describeAnswers, type Question } from '../rules/question.ts'

/** A branch begins with the newest messages of the chat, within both bounds. */
export const branchLimits = { messages: 200, chars: 100_000, readPage: 500 } as const

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  clock: Clock
  ids: Ids
  ask: ReturnType<typeof asking<DialogState, DialogCommand>>
  takeFiles(files: readonly string[], caller: Caller): Promise<MessageFile[]>
}

/**
 * Opens a chat that begins with the words of another one. From a message of a person it branches before that message, and sends
 * it again with the same or another text; from one of the agent it branches after it. Tool calls are not taken along: what they
 * did is done, and nothing runs twice.
 */
export function branching({ store, dialogs, clock, ids, ask, takeFiles }: Parts) {
  return async (from: string, input: BranchInput, caller: Caller): Promise<string> => {
    const { origin, isDeleted, retired, seq, agent, language, taskdoc, floor, writers, title } = await dialogs.load(from)
    if (seq === 0) throw new ParleyError('dialog_not_found', { dialog: from })
    if (isDeleted) throw new ParleyError('dialog_deleted')
    if (retired) throw new ParleyError('dialog_retired', { root: retired.root })
    if (origin !== null || rootView(from) !== dialogView) throw new ParleyError('not_branchable')
    const said = await readSaid(store, from, agent, input.message)
    const target = said.at(-1)
    if (!target) throw new ParleyError('message_not_found', { message: input.message })
    const isAgain = target.by.kind === 'human' || input.again === true
    const end = isAgain ? said.findLastIndex(({ by }) => by.kind === 'human') : said.length
    const again = isAgain ? said[end] : undefined
    const text = input.text ?? again?.text
    const files = [...(input.text === undefined ? (again?.files ?? []) : []), ...(await takeFiles(input.files ?? [], caller))]
    const { by, via } = caller
    const at = clock.now()
    const dialog = ids.next('dlg')
    const message = ids.next('msg')
    return ask(
      dialog,
      () => [
        {
          type: 'open-dialog',
          at,
          agent,
          by,
          language,
          title: toBranchTitle(title, language),
          ...(taskdoc !== null && { taskdoc }),
        },
        { type: 'branch-dialog', at, from, message: input.message, messages: newest(said.slice(0, end)), floor, writers, by, via },
        ...(text === undefined ? [] : [{ type: 'say' as const, at, message, text, by, via, files }]),
      ],
      caller,
      () => dialog,
    )
  }
}

/** A branch of a branch keeps the title. */
function toBranchTitle(title: string, language: Language): string {
  const { branchTitle } = messagingWords[language]
  return title.endsWith(branchTitle('')) ? title : branchTitle(title).slice(0, dialogLimits.titleChars)
}

/** Messages of people and the agent up to this one. Questions of the agent and their answers count as said. */
async function readSaid(store: Store, dialog: string, agent: string, message: string): Promise<BranchedMessage[]> {
  const said: BranchedMessage[] = []
  const asked = new Map<string, Question>()
  for (let after = 0; ;) {
    const page = await store.read(dialog, after, branchLimits.readPage)
    if (page.length === 0) return []
    for (const stored of page) {
      after = stored.seq
      const event = stored as unknown as DialogEvent
      const { at } = event
      if (event.type === 'dialog.branched') {
        const until = event.data.messages.findIndex((one) => one.message === message)
        said.push(...event.data.messages.slice(0, until < 0 ? Infinity : until + 1))
        if (until >= 0) return said
      } else if (event.type === 'message.said') {
        const { by, text, files } = event.data
        said.push({ message: event.data.message, by, text, at, ...(files && { files }) })
        if (event.data.message === message) return said
      } else if (event.type === 'turn.stopped' && event.data.text !== null) {
        said.push({ message: `stopped-${after}`, by: { kind: 'agent', name: agent }, text: event.data.text, at })
      } else if (event.type === 'question.asked' && event.data.purpose === undefined) {
        const { question, by, ask } = event.data
        asked.set(question, ask)
        said.push({ message: question, by, text: ask.text || ask.items.map((item) => item.text).join('\n'), at })
      } else if (event.type === 'question.answered') {
        const ask = asked.get(event.data.question)
        if (ask)
          said.push({ message: `${event.data.question}-answer`, by: event.data.by, text: describeAnswers(ask, event.data.answers), at })
      } else if (event.type === 'answer.withdrawn') {
        const given = said.findIndex((one) => one.message === `${event.data.question}-answer`)
        if (given >= 0) said.splice(given, 1)
      }
    }
  }
}

/** The newest ones that fit, from a message of a person on. */
function newest(said: readonly BranchedMessage[]): BranchedMessage[] {
  let chars = 0
  let from = said.length
  while (from > 0 && said.length - from < branchLimits.messages) {
    chars += said[from - 1]?.text.length ?? 0
    if (chars > branchLimits.chars) break
    from -= 1
  }
  const kept = said.slice(from)
  return from === 0
    ? kept
    : kept.slice(
        Math.max(
          0,
          kept.findIndex(({ by }) => by.kind === 'human'),
        ),
      )
}
