import { configJsonSchema } from '../../app/config/json-schema.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const schema = configJsonSchema()
  terminal.result(schema, () => JSON.stringify(schema, null, 2))
}
