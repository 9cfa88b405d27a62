import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { goldenDocuments } from './golden-inputs.ts'

/** `node src/worlds/rules/context/test/write-golden.ts` after a change of the texts; read what it wrote as a model would. */
for (const [name, text] of goldenDocuments()) {
  const file = fileURLToPath(new URL(`golden/${name}`, import.meta.url))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
