import type { Message } from '@a2a-js/sdk'
import { z } from 'zod'
import { worldLimits } from '../rules/world-limits.ts'
import { extensionUri, roles } from './task-view.ts'

const extension = z
  .strictObject({
    displayName: z.string().max(200).nullable().default(null),
    worldId: z.string().max(200).nullable().default(null),
    accept: z.boolean().nullable().default(null),
    end: z.boolean().default(false),
  })
  .prefault({})

export type GuestMessage = {
  messageId: string
  taskId: string
  contextId: string
  text: string
  extension: z.infer<typeof extension>
}

/** A message of a guest, or why it is none. The SDK lets any role, empty and foreign parts through. */
export function readMessage(message: Message | undefined): GuestMessage | string {
  if (!message) return 'message is required.'
  const { messageId, taskId, contextId, role, parts, metadata } = message
  if (messageId === '' || messageId.length > 200) return 'messageId must have 1 to 200 characters.'
  if (taskId.length > 200 || contextId.length > 200) return 'taskId and contextId have at most 200 characters.'
  const sender: number = role
  if (sender !== roles.user) return 'role must be ROLE_USER.'
  const own = extension.safeParse(metadata?.[extensionUri] ?? {})
  if (!own.success) return `metadata["${extensionUri}"] has unknown or wrong fields.`
  const texts = parts.map(({ content }) => (content?.$case === 'text' ? content.value : null))
  if (texts.includes(null)) return 'Only parts with text are accepted.'
  const text = texts.join('\n').trim()
  if (!text.isWellFormed()) return 'The text has half of a surrogate pair.'
  if (text.length > worldLimits.turnChars) return `The text has more than ${worldLimits.turnChars} characters.`
  if (text === '' && taskId === '') return 'The first message says in one line why you want to talk.'
  return { messageId, taskId, contextId, text, extension: own.data }
}
