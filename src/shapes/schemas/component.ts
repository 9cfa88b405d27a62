import { z } from 'zod'

/** Shapes with a name of their own in the OpenAPI document. */
export const components = z.registry<{ id: string }>()

export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id })
  return schema
}

export const page = <Item extends z.ZodType>(id: string, item: Item) =>
  named(id, z.object({ items: z.array(item), next: z.string().nullable().describe('Pass it back as `after`; null at the end.') }))

/** A list that comes whole. */
export const list = <Item extends z.ZodType>(id: string, item: Item) => named(id, z.object({ items: z.array(item) }))

export const when: z.ZodInt = z.int().describe('Milliseconds since 1970.')
