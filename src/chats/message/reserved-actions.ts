import { isFields, listOf, own } from './untrusted.ts'

/** A tap on these decides for a person, so the server alone puts them on a button. */
const reservedTypes: readonly unknown[] = ['question', 'approval']

/** The first control of an untrusted message that carries a reserved action, in `presentation` or the older `interactive`. */
export function findReservedAction(input: unknown): { at: string; type: string } | null {
  if (!isFields(input)) return null
  for (const name of ['presentation', 'interactive']) {
    const given = own(input, name)
    for (const [index, block] of listOf(isFields(given) ? own(given, 'blocks') : given).entries()) {
      if (!isFields(block)) continue
      for (const list of ['buttons', 'options'])
        for (const [position, control] of listOf(own(block, list)).entries()) {
          const action = isFields(control) ? own(control, 'action') : undefined
          const type = isFields(action) ? own(action, 'type') : undefined
          if (reservedTypes.includes(type)) return { at: `${name}.blocks[${index}].${list}[${position}].action`, type: String(type) }
        }
    }
  }
  return null
}
