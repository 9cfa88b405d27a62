import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

export type StartOptions = {
  /** The project: the folder of parley.yaml, and of `.parley` unless `dataDir` or `store.path` names another. */
  dir: string
  dataDir?: string
  configFile?: string
  /** `web` takes requests and runs no work; `worker` runs work and answers only probes. Both unless set. */
  only?: 'web' | 'worker'
  /** Starts although the data was copied to another store. */
  moved?: boolean
  host?: string
  port?: number
  /** Take the next free port when this one is in use. */
  nextFreePort?: boolean
  /** Say that this is the demo. */
  demo?: boolean
  /** Let scripted agents speak without pauses. */
  fast?: boolean
  /** Where `${NAME}` in parley.yaml and names given to agents are looked up. The environment of the process unless set. */
  env?: () => Readonly<Record<string, string | undefined>>
  /** A log that can `hide` is given every secret of this process. */
  log?: Log & { hide?: (secret: string) => void }
  /** For tests that open data of another time. */
  clock?: Clock
}
