import { getList, own } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

/** A tap on these decides for a person or reaches a plugin, so the server alone puts them on a button. */
const reservedTypes: readonly unknown[] = ['question', 'approval', 'plugin']

/** The first control of an untrusted message that carries a reserved action, in `presentation` or the older `interactive`. */
export function findReservedAction(input: unknown): { at: string; type: string } | null {
  if (!isRecord(input)) return null
  for (const name of ['presentation', 'interactive']) {
    const ownValue = own(input, name)
    for (const [index, block] of getList(isRecord(ownValue) ? own(ownValue, 'blocks') : ownValue).entries()) {
      if (!isRecord(block)) continue
      for (const list of ['buttons', 'options'])
        for (const [position, control] of getList(own(block, list)).entries()) {
          const action = isRecord(control) ? own(control, 'action') : undefined
          const type = isRecord(action) ? own(action, 'type') : undefined
          if (reservedTypes.includes(type)) return { at: `${name}.blocks[${index}].${list}[${position}].action`, type: String(type) }
        }
    }
  }
  return null
}
