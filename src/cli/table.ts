import type { CommandGroup, CommandRow } from './command-row.ts'
import { approvalRows } from './table/approvals.ts'
import { buildRows } from './table/builds.ts'
import { careRows } from './table/care.ts'
import { channelRows } from './table/channels.ts'
import { dialogRows } from './table/dialogs.ts'
import { messageRows } from './table/messages.ts'
import { pluginRows } from './table/plugins.ts'
import { setUpRows } from './table/set-up.ts'
import { startRows } from './table/start.ts'
import { waitingRows } from './table/waiting.ts'

/** Every command, in the order a newcomer needs them. */
export const rows: readonly CommandRow[] = [
  ...startRows,
  ...dialogRows,
  ...waitingRows,
  ...approvalRows,
  ...buildRows,
  ...channelRows,
  ...messageRows,
  ...setUpRows,
  ...pluginRows,
  ...careRows,
]

export const groups: readonly CommandGroup[] = [
  { name: 'dialogs', summary: 'see and steer dialogs' },
  { name: 'inbox', summary: 'everything that waits for a person' },
  { name: 'grants', summary: 'standing permissions of agents' },
  { name: 'policy', summary: 'what agents may do without asking' },
  { name: 'channels', summary: 'the chat apps people can talk to you by' },
  { name: 'requests', summary: 'people who ask to be let in' },
  { name: 'message', summary: 'send to chat apps, and change what was sent' },
  { name: 'deliveries', summary: 'messages on their way and what became of them' },
  { name: 'builds', summary: 'builds in seven steps' },
  { name: 'model', summary: 'the models your agents think with' },
  { name: 'plugins', summary: 'what adds to Parley' },
  { name: 'token', summary: 'keys for programs that talk to this server' },
  { name: 'sessions', summary: 'browsers that are signed in' },
  { name: 'config', summary: 'read and change parley.yaml' },
  { name: 'store', summary: 'the database on disk' },
]
