import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { root } from '../project-files.ts'

export type Validate = (operation: string, body: unknown) => string[]

/** The schema of one platform, if its contract lies beside the project; otherwise null. */
export function platformSchema(platform: string): { validate: Validate; from: string } | null {
  const folder = process.env['PARLEY_PLATFORMS'] ?? join(root, '../shared/platforms')
  const from = join(folder, platform, 'requests.schema.json')
  if (!existsSync(from)) return null
  const { operations, ...schema } = JSON.parse(readFileSync(from, 'utf8')) as {
    $id: string
    operations: Record<string, { body: string | null }>
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addKeyword({
    keyword: 'x-maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
  })
  ajv.addKeyword({
    keyword: 'x-maxUtf16',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => text.length <= most,
  })
  ajv.addSchema(schema)
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return {
    from,
    validate(operation, body) {
      const validator = operations[operation]
      if (!validator) return [`there is no operation ${operation}`]
      const check = compiled.get(operation) ?? ajv.compile({ $ref: `${schema.$id}${validator.body}` })
      compiled.set(operation, check)
      return check(body) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}
