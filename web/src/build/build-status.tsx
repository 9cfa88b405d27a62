import type { ReactNode } from 'react'
import type { BuildViewStatus } from '../../../src/client/index.ts'
import { type Shape, ShapeMark } from '../lists/status-mark.tsx'
import { useBuildWords } from './use-build.ts'

const shapes: Record<BuildViewStatus, Shape> = {
  starting: 'works',
  running: 'works',
  waiting: 'turn',
  complete: 'done',
  failed: 'failed',
  cancelled: 'stopped',
}

/** One shape and one word, never a colour alone. */
export function BuildStatus({ status }: { status: BuildViewStatus }): ReactNode {
  return <ShapeMark shape={shapes[status]}>{useBuildWords().status[status]}</ShapeMark>
}
