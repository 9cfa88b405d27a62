import { ParleyError } from '../../errors.ts'
import { isRecord } from '../../shapes/record.ts'
import { entryName } from './entry-name.ts'
import type { modelSchema } from './schema.ts'

/** A change that comes over HTTP. `null` takes the value out. */
export type PageChange = { path: readonly string[]; value: unknown }

export const pageSettingsLimits = { changes: 50, pathKeys: 6, valueDepth: 8, valueChars: 50_000 } as const

const modelKeys = ['provider', 'baseUrl', 'model', 'apiKey', 'temperature', 'topP', 'maxOutputTokens', 'effort', 'contextLength', 'images', 'fallback', 'cacheTtl', 'price'] as const satisfies readonly (keyof typeof modelSchema.shape)[] // prettier-ignore
/** Not the keys that say which program or module runs on the server, with which rights. */
const memberKeys = ['about', 'prompt', 'model', 'models', 'language', 'tools', 'toolsets', 'mcp', 'readDirs', 'writeDirs', 'noReadDirs', 'noWriteDirs', 'fbr-effort', 'diligence-push-max'] as const // prettier-ignore
const accountKeys = ['kind', 'enabled', 'agent', 'language', 'allow', 'notify', 'streaming', 'inlineButtons', 'onUnknown'] as const
const budgetScopes = ['dialog', 'agent', 'day', 'owner'] as const

const isIn = (names: readonly string[], name: string | undefined): boolean => name !== undefined && names.includes(name)

type Names = {
  /** Keys of an account that hold secrets, by the name of its platform. */
  secretKeys: ReadonlySet<string>
  /** Variables that a secret may be named by. */
  variables: ReadonlySet<string>
}

/**
 * Checks that a change is one the page may make. What decides which code runs on the server, where its data is, who people are
 * and what agents may do without asking is changed in the file, by a person with an account on the machine: a signed-in browser
 * that was stolen must not become a shell.
 */
export function checkPageChange({ path, value }: PageChange, names: Names): void {
  const where = path.join('.').slice(0, 200)
  const [section, second, third, fourth] = path
  const closed = (): never => {
    throw new ParleyError('setting_closed', { where })
  }
  const checkName = (name: string | undefined): void => {
    if (!entryName.safeParse(name).success || isIn(['__proto__', 'constructor', 'prototype'], name)) closed()
  }
  if (section === 'models') {
    checkName(second)
    checkEntry(third, value, path.length === 2, modelKeys, closed)
  } else if (section === 'team' && second === 'default') {
    if (path.length !== 2) closed()
  } else if (section === 'team' && second === 'members') {
    checkName(third)
    // A new member of the page is a model; the runtime of one that exists stays.
    const isNew = path.length === 3 && value !== null
    if (isNew && readRuntime(value) !== 'model') closed()
    checkEntry(fourth, value, path.length === 3, isNew ? [...memberKeys, 'runtime'] : memberKeys, closed)
  } else if (section === 'channels') {
    checkName(second)
    checkEntry(third, value, path.length === 2, [...accountKeys, ...names.secretKeys], closed)
  } else if (section === 'budgets') {
    if (!isIn(budgetScopes, second) || path.length > 3 || (path.length === 3 && !isIn(['tokens', 'money'], third))) closed()
  } else closed()
  checkTexts(path, value, names, 0)
}

const readRuntime = (value: unknown): unknown => (isRecord(value) ? value['runtime'] : undefined)

/** The key of the change, or every key of a whole entry, is one of these. */
function checkEntry(key: string | undefined, value: unknown, isWhole: boolean, keys: readonly string[], closed: () => never): void {
  if (!isWhole) {
    if (!isIn(keys, key)) closed()
    return
  }
  if (value === null) return
  if (typeof value !== 'object' || Array.isArray(value)) closed()
  for (const inner of Object.keys(value ?? {})) if (!isIn(keys, inner)) closed()
}

/** Secrets are named by a variable, and only they are: anywhere else a variable would show its value to agents and people. */
function checkTexts(path: readonly string[], value: unknown, names: Names, depth: number): void {
  const where = path.join('.').slice(0, 200)
  if (depth > pageSettingsLimits.valueDepth) throw new ParleyError('bad_request', { field: where, why: 'is nested too deeply' })
  const key = path.at(-1) ?? ''
  const isSecret = (path[0] === 'models' && key === 'apiKey') || (path[0] === 'channels' && path.length === 3 && names.secretKeys.has(key))
  if (typeof value === 'string') {
    const [, variable] = /^\$\{([A-Z_][A-Z0-9_]*)\}$/.exec(value) ?? []
    if (isSecret && variable === undefined) throw new ParleyError('secret_in_value', { where })
    if (isSecret && !names.variables.has(variable ?? '')) throw new ParleyError('variable_unknown', { where, variable: variable ?? '' })
    if (!isSecret && value.includes('${')) throw new ParleyError('variable_in_value', { where })
    return
  }
  if (isSecret && value !== null) throw new ParleyError('secret_in_value', { where })
  if (typeof value !== 'object' || value === null) return
  for (const [inner, item] of Object.entries(value)) {
    if (['__proto__', 'constructor', 'prototype'].includes(inner) || inner.includes('${'))
      throw new ParleyError('setting_closed', { where })
    checkTexts([...path, inner], item, names, depth + 1)
  }
}
