import { resolve } from 'node:path'
import type { StorePlace } from '../app/store-place.ts'
import { UsageError } from './fault.ts'
import { listPlaces } from './places.ts'
import { withSecrets } from '../app/config/secrets-file.ts'
import type { Terminal } from './terminal.ts'

/** The store of `text`, or that of parley.yaml. `${NAME}` in the text is taken from the environment. */
export async function findStorePlace(terminal: Terminal, text: string | undefined): Promise<StorePlace> {
  const places = await listPlaces(terminal)
  const env = withSecrets(terminal.env, places.data)
  if (text !== undefined) {
    const [{ fillVariables }, { toStorePlace }] = await Promise.all([import('../app/config/variables.ts'), import('../app/store-place.ts')])
    const { text: filled, missing } = fillVariables(text, env)
    if (missing.length > 0) throw new UsageError(`The environment variable ${missing.join(', ')} is not set.`)
    if (filled.includes('://') && !/^postgres(ql)?:\/\//.test(filled)) throw new UsageError('A database is named by postgres://…')
    return toStorePlace(filled, (path) => resolve(terminal.cwd, path))
  }
  const [{ loadConfig }, { assertStoreChosen }] = await Promise.all([
    import('../app/config/load.ts'),
    import('../app/config/store-setting.ts'),
  ])
  const loaded = loadConfig(places.config, { optional: true, env })
  assertStoreChosen(loaded)
  const { url } = loaded.config.store
  return url === undefined ? { folder: places.data } : { url }
}
