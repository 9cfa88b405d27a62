import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Ended } from '../runtimes/process-group.ts'
import type { DirectoryRules } from '../workspace/directory-rules.ts'

/** A folder a program can see. Its rules say what in it is hidden, and where the program may write. */
export type VisibleFolder = { readonly path: string; readonly rules: DirectoryRules }

/** Files and hosts that the programs of one agent can read, write and reach. */
export type Confinement = {
  readonly folders: readonly VisibleFolder[]
  /** Hosts on the network, as `example.org`, `*.example.org` or `example.org:443`. None: no network. */
  readonly hosts: readonly string[]
  /** Variables of the server's environment that are passed on, besides the common ones. */
  readonly env: readonly string[]
}

export type Launch = {
  readonly command: readonly string[]
  readonly cwd: string
  /** Set for this program alone. */
  readonly variables: Readonly<Record<string, string>>
  readonly stdin: 'ignore' | 'pipe'
  readonly confinement: Confinement
}

export type Launched = {
  readonly child: ChildProcess & { readonly stdin: Writable | null; readonly stdout: Readable; readonly stderr: Readable }
  /** The environment the program got, to keep its secrets out of error texts. */
  readonly env: Readonly<Record<string, string>>
  readonly ended: Promise<Ended>
  /** Hosts that it tried to reach and was not granted, as far as the sandbox can tell. */
  blockedHosts(): readonly string[]
  /** Ends the program and whatever it started: asked first, forced after two seconds. */
  end(): void
}

/** Starts the programs of agents. The only way in which they are started. */
export type Launcher = {
  /** Throws `sandbox_unavailable` when the program cannot be confined; then nothing was started. */
  launch(launch: Launch): Promise<Launched>
  close(): Promise<void>
}
