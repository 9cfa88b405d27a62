import { z } from 'zod'
import { named } from './component.ts'

export const turn: z.ZodInt = z.int().min(0).describe('The turn the reply belongs to.')

export const controls = named(
  'ReplyControls',
  z.object({ turn, rows: z.array(z.array(z.object({ label: z.string(), data: z.string() }))) }),
)

export const tapped = named('Tap', z.object({ toast: z.string().nullable(), isTaken: z.boolean().exactOptional() }))
