import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { checkModel } from '../../agents/model-check.ts'
import { learnedModels } from '../../agents/models/learned-models.ts'
import { unifiedDiff } from '../../agents/workspace/unified-diff.ts'
import { openForCheck } from '../../chats/channels/open-for-check.ts'
import { builtInKinds, getKind } from '../../chats/channels/registry.ts'
import { ParleyError } from '../../errors.ts'
import type { ServerSettings, SettingsChange, SettingsView } from '../../shapes/settings.ts'
import { changeConfigText, maskSecrets, openConfig, readWritten } from '../config/edit.ts'
import { checkKeyAddresses } from '../config/key-addresses.ts'
import { maskConfigText } from '../config/masked-text.ts'
import { checkPageChange, pageSettingsLimits } from '../config/page-settings.ts'
import { dropSecret, keepSecret, readSecrets } from '../config/secrets-file.ts'
import type { Settings } from './settings.ts'

type Parts = {
  settings: Settings
  dataDir: string
  problems(): string[]
  /** Reads parley.yaml again and applies it. */
  reread(): Promise<void>
}

/** Variables that change how programs run, or that belong to Parley itself. None of them is a key of a provider or platform. */
const reservedName =
  /^(?:PATH|HOME|SHELL|USER|LANG|TZ|TMPDIR|IFS|ENV|DATABASE_URL|(?:LC|LD|DYLD|NODE|NPM|BASH|GIT|SSH|PG|PYTHON|XDG)_.*|PGPASSWORD|PARLEY_(?:SECRET|TOKEN|URL|DATA|CONFIG))$/

export const modelTestLimits = { testMs: 110_000 } as const

/** parley.yaml as the owner sees and changes it on the page. */
export function serverSettings({ settings, dataDir, problems, reread }: Parts): ServerSettings {
  const { file } = settings
  let isTesting = false
  const getRevision = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

  async function get(): Promise<SettingsView> {
    const { before } = openConfig(file)
    const { models = {}, team = {}, channels = {}, budgets = {} } = readWritten(before)
    return {
      file: basename(file),
      revision: getRevision(before),
      text: maskConfigText(before),
      values: hideHeaders(maskSecrets({ models, team, channels, budgets })) as SettingsView['values'],
      problems: problems(),
      secrets: Object.keys(readSecrets(dataDir)).toSorted(),
      platforms: await listPlatforms(),
      mcp: Object.keys(settings.current().mcp),
    }
  }

  /** The text before and after. Throws in words when the page may not make the change or the file does not allow it. */
  async function plan({ changes }: Pick<SettingsChange, 'changes'>): Promise<{ before: string; after: string; write(text: string): void }> {
    const { before, write } = openConfig(file)
    const secretKeys = new Set((await listPlatforms()).flatMap(({ secrets }) => secrets.map(({ key }) => key)))
    const names = { secretKeys, variables: new Set(Object.keys(readSecrets(dataDir))) }
    if (JSON.stringify(changes).length > pageSettingsLimits.valueChars)
      throw new ParleyError('too_large', { limit: pageSettingsLimits.valueChars })
    for (const { path, value = null } of changes) checkPageChange({ path, value }, names)
    const edits = changes.map(({ path, value = null }) => ({ path, value: value === null ? undefined : value }))
    const after = changeConfigText(before, basename(file), edits)
    checkKeyAddresses(before, after)
    return { before, after, write }
  }

  return {
    get,
    async preview(change) {
      const { before, after } = await plan(change)
      const diff = before === after ? '' : unifiedDiff(basename(file), maskConfigText(before), maskConfigText(after))
      return { revision: getRevision(before), diff }
    },
    async change(change) {
      const { before, after, write } = await plan(change)
      if (getRevision(before) !== change.revision) throw new ParleyError('config_changed', { file: basename(file) })
      if (after !== before) {
        write(after)
        // A secret without use would be there to be sent to another address by the next change.
        for (const name of Object.keys(readSecrets(dataDir)))
          if (before.includes(`\${${name}}`) && !after.includes(`\${${name}}`)) dropSecret(dataDir, name)
        await reread()
      }
      return get()
    },
    async keepSecret(name, value) {
      if (reservedName.test(name)) throw new ParleyError('secret_name', { name })
      // A variable of the server counts before a stored one, so the stored one would never be used.
      const outside = settings.env()[name]
      if (outside && readSecrets(dataDir)[name] !== outside) throw new ParleyError('secret_from_outside', { name })
      keepSecret(dataDir, name, value)
      await reread()
      return get()
    },
    async testModel(name, signal) {
      const { models } = settings.current()
      const model = Object.hasOwn(models, name) ? models[name] : undefined
      if (!model) throw new ParleyError('model_not_set', { model: name })
      if (isTesting) throw new ParleyError('busy', {}, { retryable: true })
      isTesting = true
      try {
        const { answers, firstTokenMs, streams, tools, asksQuestions } = await checkModel(model, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(modelTestLimits.testMs)]),
          learned: learnedModels(dataDir),
        })
        return { model: model.model, answers, firstTokenMs, streams, tools, asksQuestions }
      } finally {
        isTesting = false
      }
    },
    async checkChannel(name) {
      const { channels } = settings.current()
      const account = Object.hasOwn(channels, name) ? channels[name] : undefined
      const kind = account && (await builtInKinds[getKind(name, account)]?.load())
      if (!account || !kind) throw new ParleyError('channel_not_found', { channel: name })
      const opened = openForCheck(kind, name, account.settings as object)
      if ('problem' in opened) return { account: null, problem: opened.problem }
      const checked = await opened.check()
      return 'account' in checked ? { account: checked.account, problem: null } : { account: null, problem: checked.problem }
    },
  }
}

let platforms: Promise<SettingsView['platforms']> | null = null

/** Loading a kind loads no SDK. */
const listPlatforms = (): Promise<SettingsView['platforms']> =>
  (platforms ??= Promise.all(
    Object.entries(builtInKinds).map(async ([name, { load }]) => {
      const { title, secrets } = await load()
      return {
        kind: name,
        title,
        secrets: secrets.map(({ key, title: texts, optional }) => ({ key, title: texts.en, isOptional: optional === true })),
      }
    }),
  ))

/** A header of a gateway may hold a key under any name. */
function hideHeaders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideHeaders)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      (key === 'headers' || key === 'env') && typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.keys(item).map((name) => [name, '••••••']))
        : hideHeaders(item),
    ]),
  )
}
