import type { PlatformRequest } from '../../../../ports/channel.ts'
import type { Validate } from '../../../../../test/render-matrix/platform-schema.ts'

/** Faults of a request by the platform's contract: its body, and the JSON in `content`. */
export function feishuFaults(validate: Validate, { operation, body }: PlatformRequest): string[] {
  if (operation === 'im.message.get') return []
  const { msg_type: type, content } = (body ?? {}) as { msg_type?: string; content?: string }
  const inside = content === undefined ? [] : validate(`content.${type ?? 'interactive'}`, JSON.parse(content))
  return [...validate(operation, body), ...inside]
}
