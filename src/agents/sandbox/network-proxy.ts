import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ParleyError } from '../../errors.ts'
import { programsNamed } from './find-program.ts'

/** The part of @anthropic-ai/sandbox-runtime that is used. Written down here, because the package is optional. */
export type ConfiguredSandbox = {
  initialize(config: object): Promise<void>
  getLinuxHttpSocketPath(): string | undefined
  getProxyAuthToken(): string | undefined
  registerCommandNetworkLists(commandId: string, lists: { allowedDomains?: string[] }): void
  unregisterCommandNetworkLists(commandId: string): void
  /** Connections that the proxy refused, of all programs. */
  getSandboxViolationStore(): { getViolations(): readonly { line: string; encodedCommand?: string | undefined }[] }
  wrapWithSandboxArgv(
    command: string,
    shell: string,
    config: object,
    signal: undefined,
    cwd: string,
    options: { commandId: string; commandText: string },
  ): Promise<{ argv: string[]; env: NodeJS.ProcessEnv }>
  reset(): Promise<void>
}

/** One program's way to the hosts it was granted. */
export type GrantedNetwork = {
  variables: Record<string, string>
  args: string[]
  wrap(command: readonly string[]): string[]
  /** Hosts that the program tried to reach and that it was not granted. */
  blocked(): string[]
  close(): void
}

export type NetworkProxy = {
  open(hosts: readonly string[]): Promise<GrantedNetwork>
  close(): Promise<void>
}

const packageName: string = '@anthropic-ai/sandbox-runtime'

/** A granted name does not lead there, wherever its DNS record points; only an address that is granted itself does. */
export const privateRanges: readonly string[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '240.0.0.0/4',
  'fc00::/7',
  'fec0::/10',
]

/** Nothing is allowed in general; each program brings the hosts of its agent. */
const baseConfig = {
  network: { allowedDomains: [], deniedDomains: [], deniedResolvedAddresses: [...privateRanges] },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
}

export type SandboxRuntime = { started(): Promise<ConfiguredSandbox>; close(): Promise<void> }

/** Loads the package when it is first needed, once. */
export function sandboxRuntime(load = async (): Promise<unknown> => import(packageName)): SandboxRuntime {
  let loading: Promise<ConfiguredSandbox> | undefined
  const start = async (): Promise<ConfiguredSandbox> => {
    let sandbox: ConfiguredSandbox | undefined
    try {
      // The package exports its one state under this name.
      sandbox = ((await load()) as Record<string, ConfiguredSandbox>)['SandboxManager']
    } catch (error) {
      throw new ParleyError('sandbox_unavailable', { why: `the package ${packageName} is not installed` }, { cause: error })
    }
    try {
      await sandbox?.initialize(baseConfig)
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
      throw new ParleyError('sandbox_unavailable', { why: why.slice(0, 300).replace(/\.$/, '') }, { cause: error })
    }
    if (sandbox === undefined) throw new ParleyError('sandbox_unavailable', { why: `the package ${packageName} is another version` })
    return sandbox
  }
  return {
    started() {
      loading ??= start().catch((error: unknown) => {
        // Someone may install what was missing while the server runs.
        loading = undefined
        throw error
      })
      return loading
    },
    close: async () => {
      const sandbox = await loading?.catch(() => null)
      loading = undefined
      await sandbox?.reset()
    },
  }
}

const port = 3128
const socketInside = '/tmp/network.sock'

/**
 * Inside, a port of the empty network leads to a socket, and the socket to a proxy of the host, which passes on what the
 * list of this one program names. The name for the proxy is random, so no other program can use the list.
 */
const bridge = `( socat TCP-LISTEN:${port},fork,reuseaddr,bind=127.0.0.1 UNIX-CONNECT:${socketInside} >/dev/null 2>&1 & )
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && break
  sleep 0.05
done
exec "$@"`

/** Hosts for programs in bubblewrap, by the proxy of sandbox-runtime. */
export function linuxProxy(runtime: SandboxRuntime, path: () => string | undefined): NetworkProxy {
  return {
    async open(hosts) {
      for (const name of ['socat', 'rg'])
        if (programsNamed(name, path()).length === 0)
          throw new ParleyError('sandbox_unavailable', { why: `${name} is not installed, and hosts are granted` })
      const sandbox = await runtime.started()
      const [socket, token] = [sandbox.getLinuxHttpSocketPath(), sandbox.getProxyAuthToken()]
      if (socket === undefined || token === undefined || !existsSync(socket))
        throw new ParleyError('sandbox_unavailable', { why: 'the network proxy of the sandbox did not start' })
      const id = commandId()
      sandbox.registerCommandNetworkLists(id, { allowedDomains: [...hosts] })
      const user = encodeURIComponent(`srt.${Buffer.from(id).toString('base64')}`)
      const proxy = `http://${user}:${token}@127.0.0.1:${port}`
      const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
      // An address of the machine that is granted is reached by the proxy as well; the others are the sandbox's own.
      const own = ['localhost', '127.0.0.1', '::1'].filter((name) => !hosts.some((host) => host.replace(/:\d+$/, '') === name))
      const local = [...own, `127.0.0.1:${port}`].join(',')
      return {
        variables: { ...Object.fromEntries(names.map((name) => [name, proxy])), NO_PROXY: local, no_proxy: local, NODE_USE_ENV_PROXY: '1' },
        args: ['--bind', socket, socketInside],
        wrap: (command) => ['bash', '--noprofile', '--norc', '-c', bridge, 'bash', ...command],
        blocked: () => blockedHosts(sandbox, id),
        close: () => sandbox.unregisterCommandNetworkLists(id),
      }
    },
    close: () => runtime.close(),
  }
}

/** By the record the proxy keeps of refused connections. It holds the last hundred of all programs. */
export function blockedHosts(sandbox: Pick<ConfiguredSandbox, 'getSandboxViolationStore'>, id: string): string[] {
  const own = Buffer.from(id).toString('base64')
  const refused = sandbox.getSandboxViolationStore().getViolations()
  const hosts = refused.flatMap(({ line, encodedCommand }) => {
    const host = /^deny network-outbound (\S+)/.exec(line)?.[1]
    return encodedCommand === own && host !== undefined ? [host] : []
  })
  return [...new Set(hosts)]
}

export const commandId = (): string => randomBytes(24).toString('base64url')
