import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { editorSections } from './policy-schema.ts'
import { configSchema } from './schema.ts'

/** What editors check parley.yaml with. Kept in parley.schema.json; `node src/config/json-schema.ts` writes it anew. */
export function configJsonSchema(): object {
  const sections = z.object({ ...configSchema.shape, ...editorSections }).strict()
  return { title: 'parley.yaml', ...z.toJSONSchema(sections, { io: 'input', target: 'draft-7' }) }
}

export const schemaText = (): string => `${JSON.stringify(configJsonSchema(), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../../parley.schema.json', import.meta.url), schemaText())
