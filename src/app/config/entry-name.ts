import { z } from 'zod'

/** Name of a model, a member, an account or a plugin in parley.yaml. */
export const entryName: z.ZodString = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u)
