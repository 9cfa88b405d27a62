import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { editorAccounts } from './channels-schema.ts'
import { entryName } from './entry-name.ts'
import { editorSections } from './policy-schema.ts'
import { configSchema } from './schema.ts'

/** JSON Schema of parley.yaml for editors. `node src/app/config/json-schema.ts` writes it to parley.schema.json. */
export function configJsonSchema(): object {
  // An account depends on its kind, which a schema for reading settles only while it reads.
  const channels = z
    .record(entryName, editorAccounts)
    .optional()
    .describe(configSchema.shape.channels.description ?? '')
  const sections = z.object({ ...configSchema.shape, ...editorSections, channels }).strict()
  return { title: 'parley.yaml', ...z.toJSONSchema(sections, { io: 'input', target: 'draft-7' }) }
}

export const schemaText = (): string => `${JSON.stringify(configJsonSchema(), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../../../parley.schema.json', import.meta.url), schemaText())
