import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { editorSections } from './policy-schema.ts'
import { configSchema } from './schema.ts'

/** JSON Schema of parley.yaml for editors. `node src/app/config/json-schema.ts` writes it to parley.schema.json. */
export function configJsonSchema(): object {
  const sections = z.object({ ...configSchema.shape, ...editorSections }).strict()
  return { title: 'parley.yaml', ...z.toJSONSchema(sections, { io: 'input', target: 'draft-7' }) }
}

export const schemaText = (): string => `${JSON.stringify(configJsonSchema(), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../../../parley.schema.json', import.meta.url), schemaText())
