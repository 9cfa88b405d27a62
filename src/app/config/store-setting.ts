import { ParleyError } from '../../errors.ts'
import type { Loaded } from './load.ts'

/** With a fault in this section the data would be in another place than the one that was meant. */
export function assertStoreChosen({ problems }: Loaded): void {
  const problem = problems.find(({ path }) => path === 'store' || path.startsWith('store.'))
  if (problem) throw new ParleyError('config_invalid', { file: problem.file, where: problem.path, why: problem.why.replace(/\.$/, '') })
}
