import type { DialogStatus } from '../shapes/wire.ts'
import type { Paint } from './terminal.ts'

const paints: Record<DialogStatus, keyof Paint> = {
  ready: 'dim',
  working: 'cyan',
  stopping: 'cyan',
  waiting: 'yellow',
  delegated: 'cyan',
  stopped: 'dim',
  failed: 'red',
  dead: 'dim',
  retired: 'dim',
}

export const statusPaint = (status: DialogStatus, paint: Paint): ((text: string) => string) =>
  paint[paints[status]] as (text: string) => string
