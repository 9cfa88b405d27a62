import { join } from 'node:path'
import { loadConfig, type Loaded } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import type { Config } from '../config/schema.ts'
import { listUrlSecrets } from '../../store/postgres/postgres-url.ts'
import { assertStoreChosen } from '../config/store-setting.ts'
import type { StartOptions } from '../start-options.ts'

/** parley.yaml as it was read last. */
export type Settings = {
  readonly file: string
  /** As read at the start. Some settings, such as the port, count only then. */
  readonly initial: Loaded
  readonly env: NonNullable<StartOptions['env']>
  current(): Config
  problems(): readonly Problem[]
  /** A changed file was read. */
  replace(loaded: Loaded): void
  /** Reads the file again and applies it; resolves when that is done. Without `onReread` nothing applies it. */
  reread(): Promise<void>
  onReread(apply: (loaded: Loaded) => Promise<void>): void
}

export function readSettings({ dir, configFile, env = () => process.env, log }: StartOptions): Settings {
  const file = configFile ?? join(dir, 'parley.yaml')
  const initial = loadConfig(file, { optional: true, env: env() })
  assertStoreChosen(initial)
  let last = initial
  let applyAgain: (loaded: Loaded) => Promise<void> = async () => {}
  hideConfiguredSecrets(log, initial.config)
  return {
    file,
    initial,
    env,
    current: () => last.config,
    problems: () => last.problems,
    replace(loaded) {
      last = loaded
      hideConfiguredSecrets(log, loaded.config)
    },
    reread: () => applyAgain(loadConfig(file, { optional: true, env: env() })),
    onReread(apply) {
      applyAgain = apply
    },
  }
}

function hideConfiguredSecrets(log: StartOptions['log'], { models, channels, store, mail }: Config): void {
  const keys = Object.values(models).flatMap(({ apiKey, headers }) => [apiKey ?? '', ...Object.values(headers ?? {})])
  const accounts = Object.values(channels).flatMap(({ settings }) => listTexts(settings).filter((text) => !/^https?:/.test(text)))
  for (const secret of [...keys, ...accounts, mail?.password ?? '', ...listUrlSecrets(store.url ?? '')])
    if (secret !== '') log?.hide?.(secret)
}

/** Which settings of an account are secret only its platform knows, so every text counts as one. */
const listTexts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
