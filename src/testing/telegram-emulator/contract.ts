import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Params } from './request-body.ts'

/** The platform's own schemas, where they are at hand. `about` says in one line whether requests were checked against them. */
export type Contract = { about: string; faultsOf(method: string, params: Params): string[] }

type Spec = { $id: string; operations: Record<string, { body: string | null }>; $defs: object }
type Check = ((body: unknown) => boolean) & { errors?: { instancePath: string; message?: string; params: object }[] | null }

const projectRoot = join(import.meta.dirname, '..', '..', '..')

let loaded: Promise<Contract> | undefined

/** Compiled once for the process: a schema of this size takes longer than most tests. */
export const telegramContract = (): Promise<Contract> => (loaded ??= load())

async function load(): Promise<Contract> {
  const folder = process.env['PARLEY_PLATFORMS'] ?? join(projectRoot, '..', 'shared', 'platforms')
  let text: string
  try {
    text = await readFile(join(folder, 'telegram', 'requests.schema.json'), 'utf8')
  } catch {
    return {
      about: "Telegram requests are checked against the emulator's own limits only: no platform schemas here (set PARLEY_PLATFORMS).",
      faultsOf: () => [],
    }
  }
  const { operations, ...schema } = JSON.parse(text) as Spec
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default.default(ajv)
  ajv.addKeyword({
    keyword: 'x-maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, value: string) => Buffer.byteLength(value) <= most,
  })
  ajv.addKeyword({
    keyword: 'x-maxUtf16',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, value: string) => value.length <= most,
  })
  ajv.addSchema(schema)
  const checks = new Map<string, Check>()
  return {
    about: 'Telegram requests are checked against the platform schemas.',
    faultsOf(method, params) {
      const body = operations[method]?.body
      if (!body) return []
      const check = checks.get(method) ?? (ajv.compile({ $ref: schema.$id + body }) as Check)
      checks.set(method, check)
      if (check(params)) return []
      return (check.errors ?? []).map(
        ({ instancePath, message, params: about }) => `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(about)}`,
      )
    },
  }
}
