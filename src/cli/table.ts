import type { CommandGroup, CommandRow } from './command-row.ts'
import { buildRows } from './table/builds.ts'
import { careRows } from './table/care.ts'
import { dialogRows } from './table/dialogs.ts'
import { setUpRows } from './table/set-up.ts'
import { startRows } from './table/start.ts'
import { waitingRows } from './table/waiting.ts'

/** Every command, in the order a newcomer needs them. */
export const rows: readonly CommandRow[] = [...startRows, ...dialogRows, ...waitingRows, ...buildRows, ...setUpRows, ...careRows]

export const groups: readonly CommandGroup[] = [
  { name: 'dialogs', summary: 'see and steer dialogs' },
  { name: 'inbox', summary: 'everything that waits for a person' },
  { name: 'builds', summary: 'builds in seven steps' },
  { name: 'model', summary: 'the models your agents think with' },
  { name: 'token', summary: 'keys for programs that talk to this server' },
  { name: 'config', summary: 'read and change parley.yaml' },
]
