import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../workspace/write-whole.ts'
import { type AdjustableField, adjustableFields, isLasting, type RequestChange } from './parameter-faults.ts'
import type { ProbedWindow } from './probe.ts'

export const learnedLimits = { models: 200, changes: 10, fileBytes: 1_000_000 } as const

/** Facts about a model that its server taught: by an error, or by its own description. */
export type LearnedModel = {
  windowTokens: number | null
  probed: ProbedWindow | null
  changes: readonly RequestChange[]
  /** The server cut a prompt without an error. */
  isCut?: true | undefined
}

export type LearnedModels = {
  read(address: string, model: string): LearnedModel
  learn(address: string, model: string, news: Partial<Omit<LearnedModel, 'changes'>> & { change?: RequestChange }): void
}

const nothing: LearnedModel = { windowTokens: null, probed: null, changes: [] }

const field = z.enum(adjustableFields satisfies readonly AdjustableField[])
const tokens = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('swap-field'), from: field, to: field }),
  z.object({ kind: z.literal('drop-field'), field }),
  z.object({ kind: z.literal(['use-responses', 'no-reasoning-effort', 'strict-roles', 'notes-as-user', 'no-images']) }),
])
const fileSchema = z.record(
  z.string(),
  z.object({
    windowTokens: tokens.nullable(),
    probed: z.object({ windowTokens: tokens, isLoaded: z.boolean() }).nullable(),
    changes: z.array(changeSchema).max(learnedLimits.changes),
    isCut: z.literal(true).optional(),
  }),
)

const keyFor = (address: string, model: string): string => `${address} ${model}`

/** Kept in `models.json` of the data folder, or only in memory without one. A file that cannot be read is learned anew. */
export function learnedModels(dataDir: string | null = null): LearnedModels {
  const file = dataDir === null ? null : join(existsSync(dataDir) ? realpathSync(dataDir) : dataDir, 'models.json')
  let models: Map<string, LearnedModel> | null = null
  const load = (): Map<string, LearnedModel> => (models ??= file === null ? new Map() : readFile(file))
  return {
    read: (address, model) => load().get(keyFor(address, model)) ?? nothing,
    learn(address, model, { change, ...news }) {
      // Another process of this folder may have learned meanwhile.
      const all = new Map([...load(), ...(file === null ? [] : readFile(file))])
      models = all
      const key = keyFor(address, model)
      const before = all.get(key) ?? nothing
      const isNew = change !== undefined && isLasting(change) && !before.changes.some((one) => isEqual(one, change))
      const changes = isNew ? [...before.changes, change].slice(-learnedLimits.changes) : before.changes
      const after = { ...before, ...news, changes }
      if (isEqual(before, after)) return
      // The latest is last, and the oldest goes.
      all.delete(key)
      all.set(key, after)
      for (const oldest of all.keys()) if (all.size > learnedLimits.models) all.delete(oldest)
      if (file !== null) save(file, all)
    },
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function readFile(file: string): Map<string, LearnedModel> {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.length > learnedLimits.fileBytes) return new Map()
    return new Map(Object.entries(fileSchema.parse(JSON.parse(text))))
  } catch {
    return new Map()
  }
}

/** A window that cannot be stored is known until the process ends. */
function save(file: string, all: ReadonlyMap<string, LearnedModel>): void {
  try {
    writeWhole(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
  } catch {
    return
  }
}
