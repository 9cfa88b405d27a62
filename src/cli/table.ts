import type { CommandGroup, CommandRow } from './command-row.ts'
import { approvalRows } from './table/approvals.ts'
import { buildRows } from './table/builds.ts'
import { careRows } from './table/maintenance.ts'
import { channelRows } from './table/channels.ts'
import { dialogRows } from './table/dialogs.ts'
import { messageRows } from './table/messages.ts'
import { pluginRows } from './table/plugins.ts'
import { setUpRows } from './table/set-up.ts'
import { startRows } from './table/start.ts'
import { taskdocRows } from './table/taskdocs.ts'
import { waitingRows } from './table/waiting.ts'
import { wireRows } from './table/wire.ts'
import { worldRows } from './table/worlds.ts'

/** Every command, in the order a newcomer needs them. */
export const rows: readonly CommandRow[] = [
  ...startRows,
  ...dialogRows,
  ...taskdocRows,
  ...waitingRows,
  ...approvalRows,
  ...buildRows,
  ...channelRows,
  ...worldRows,
  ...wireRows,
  ...messageRows,
  ...setUpRows,
  ...pluginRows,
  ...careRows,
]

export const groups: readonly CommandGroup[] = [
  { name: 'dialogs', summary: 'list, follow and control dialogs' },
  { name: 'taskdocs', summary: 'what dialogs of the project have in mind together' },
  { name: 'inbox', summary: 'everything that is waiting for a person' },
  { name: 'grants', summary: 'standing permissions of agents' },
  { name: 'policy', summary: 'rules for what agents may do without asking' },
  { name: 'channels', summary: 'connected chat apps' },
  { name: 'requests', summary: 'people who want to write to you, and agents who want to talk with yours' },
  { name: 'worlds', summary: 'places where agents of different owners meet' },
  { name: 'reports', summary: 'reports about conversations with other agents' },
  { name: 'message', summary: 'send, edit and remove messages in chat apps' },
  { name: 'deliveries', summary: 'messages to chat apps and their state' },
  { name: 'builds', summary: 'builds in seven steps' },
  { name: 'model', summary: 'the models your agents use' },
  { name: 'plugins', summary: 'extensions of Parley' },
  { name: 'token', summary: 'keys for programs that talk to this server' },
  { name: 'sessions', summary: 'browsers that are signed in' },
  { name: 'config', summary: 'read and change parley.yaml' },
  { name: 'store', summary: 'the database on disk' },
]
