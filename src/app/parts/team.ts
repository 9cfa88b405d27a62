import { type LiveTeam, liveTeam } from '../../agents/live-team.ts'
import { teamFrom, type TeamParts } from '../../agents/team.ts'
import { ParleyError } from '../../errors.ts'
import type { Plugins } from '../../plugins/host/load-plugins.ts'
import { problemInWords } from '../config/problem.ts'
import type { ChatLink } from './chat-link.ts'
import type { LivePolicy } from './live-policy.ts'
import type { Part } from './part-stack.ts'
import type { Settings } from './settings.ts'

export type ServedTeam = {
  team: LiveTeam
  /** Only the scripted agents of the demo answer. */
  isScripted(): boolean
}

export type ServedTeamParts = {
  settings: Settings
  policy: LivePolicy
  plugins: Plugins
  chats: ChatLink
  dataDir: string
  fast: boolean
}

export const teamPart = ({ settings, policy, plugins, chats, dataDir, fast }: ServedTeamParts): Part<ServedTeam> => ({
  name: 'team',
  async start() {
    const { ada, researcher } = await import('../demo/index.ts')
    const parts: TeamParts = {
      file: settings.file,
      dataDir,
      env: settings.env,
      demo: ada,
      demoTeammates: [researcher],
      fast,
      get tools() {
        return plugins.tools
      },
      get agents() {
        return plugins.agents
      },
      chats,
      policy: policy.current,
    }
    const team = liveTeam(await teamFrom(settings.initial.config, parts), parts)
    if (!team.agent(team.default)) {
      const problems = [...settings.problems(), ...team.problems.filter(({ path }) => path !== 'team.default')]
      await team.close()
      const first = problems.find(({ path }) => path.startsWith(`team.members.${team.default}`)) ?? problems[0]
      throw new ParleyError('default_agent_broken', {
        agent: team.default,
        why: first
          ? problemInWords(first)
              .replace(/[.;]? "[^"]*" is skipped\.?$/, '')
              .replace(/\.$/, '')
          : `${settings.file} has no such member`,
      })
    }
    return { team, isScripted: () => team.default === ada.name && team.list().length === [ada, researcher].length }
  },
  stop: ({ team }) => team.close(),
})
