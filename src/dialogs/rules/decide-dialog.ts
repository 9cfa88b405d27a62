import { refuse } from '../../errors.ts'
import { mindDeciders, type MindCommand } from './decide-mind.ts'
import { promptDeciders, type PromptCommand } from './decide-prompt.ts'
import { questionDeciders, type QuestionCommand } from './decide-question.ts'
import { stopDeciders, type StopCommand } from './decide-stop.ts'
import { talkDeciders, type TalkCommand } from './decide-talk.ts'
import { treeDeciders, type TreeCommand } from './decide-tree.ts'
import { turnDeciders, type TurnCommand } from './decide-turn.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogState } from './dialog-state.ts'

export type DialogCommand = Timed<TalkCommand | QuestionCommand | StopCommand | TreeCommand | MindCommand | PromptCommand | TurnCommand>

const deciders: Deciders<DialogCommand> = {
  ...talkDeciders,
  ...questionDeciders,
  ...stopDeciders,
  ...treeDeciders,
  ...mindDeciders,
  ...promptDeciders,
  ...turnDeciders,
}

const worksOnDead = new Set<DialogCommand['type']>(['cut-turn', 'open-dialog', 'retire-dialog', 'delete-dialog'])

/** The events that follow from a command, or the reason why it is refused. */
export function decideDialog(state: DialogState, command: DialogCommand): Decision {
  if (state.seq === 0 && command.type !== 'open-dialog') return refuse('dialog_not_found', {})
  if (state.isDeleted && command.type !== 'open-dialog') return refuse('dialog_deleted', {})
  if (state.retired && command.type !== 'open-dialog') return refuse('dialog_retired', { root: state.retired.root })
  // A generation that ran while its dialog was declared dead still has a cost, and opening twice says that it exists.
  if (state.isDead && !worksOnDead.has(command.type)) return command.type === 'declare-dead' ? { events: [] } : refuse('dialog_dead', {})
  // TypeScript cannot see that the type of the command and the function found by it belong together.
  const decide = deciders[command.type] as (state: DialogState, command: DialogCommand) => Decision
  return decide(state, command)
}
