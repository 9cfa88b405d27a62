import { ParleyError } from '../../errors.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { DialogDetail } from '../../shapes/wire.ts'
import { countPushes, pushFor } from '../driver/mind.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { NoteCommand } from '../rules/decide-talk.ts'
import { type DialogState, getStatus } from '../rules/dialog-state.ts'

/** The diligence pushes of a dialog as people see them; nothing for a dialog that has none. */
export function showPushes(state: DialogState, team: Team): Pick<DialogDetail, 'pushes'> {
  const agent = team.agent(state.agent)
  const most = agent ? countPushes(state, agent) : 0
  return most === 0 ? {} : { pushes: { left: Math.max(0, most - state.pushes), most, isOn: !state.arePushesOff } }
}

/** The commands of a note. Refilled pushes would wait until a resting root works again, so the first of them is given at once. */
export function withPush(state: DialogState, command: NoteCommand, team: Team, at: number): DialogCommand[] {
  const timed = { ...command, at }
  if (timed.type !== 'change-pushes' || state.isDead) return [timed]
  const agent = team.agent(state.agent)
  if (!agent || countPushes(state, agent) === 0) throw new ParleyError('no_pushes')
  const isResting = timed.change === 'refill' && state.pushes > 0 && getStatus(state) === 'ready'
  const push = isResting ? pushFor({ ...state, pushes: 0 }, agent, '') : null
  return push
    ? [
        { ...timed, continues: true },
        { ...push, at },
      ]
    : [timed]
}
