import { findFamily } from './families.ts'
import type { RequestChange } from './parameter-faults.ts'
import { isOpenAiAddress } from './profiles.ts'
import type { Wire } from '../wires/wire.ts'

/** The wire of a model: as set; what an error taught; Responses for models that take tools nowhere else, at OpenAI's own address. */
export function chooseWire(
  { provider, wire, model }: { provider: 'openai-compatible' | 'anthropic'; wire?: Wire | undefined; model: string },
  address: string,
  changes: readonly RequestChange[],
): Wire {
  if (wire !== undefined) return wire
  if (provider === 'anthropic') return 'anthropic'
  if (changes.some(({ kind }) => kind === 'use-responses')) return 'responses'
  return isOpenAiAddress(address) && findFamily(model)?.reasoning === 'responses' ? 'responses' : 'chat'
}
