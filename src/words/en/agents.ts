import type { AgentTexts } from '../../agents/agent-texts.ts'

export const agents: AgentTexts = {
  memories: {
    team: 'What the team remembers',
    own: 'What you remember',
    leftOut: (count) => `${count} more memories were omitted: there is no room for them. Drop or shorten some.`,
  },
  taskdoc: {
    title: 'Task document',
    bearInMind: 'Bear in mind',
    moreSections: 'More sections (read them with recall_taskdoc)',
    cut: (bytes) => `[The task document is longer than 100 KB: ${bytes} bytes are omitted here. Shorten its sections.]`,
  },
  outputLimit: '[The model stopped here: it reached its output limit.]',
  noSandbox: 'Not run: the sandbox is not available. A person must install it.',
  blockedHosts: (hosts) => `[Blocked hosts: ${hosts.join(', ')}. Name those that the command needs in hosts.]`,
}
