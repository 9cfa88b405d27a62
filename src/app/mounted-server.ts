import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { defaultPolicy } from '../authority/policy.ts'
import type { Team } from '../ports/agent-runtime.ts'
import { systemClock } from '../ports/clock.ts'
import { randomIds } from '../ports/ids.ts'
import { silentLog } from '../ports/log.ts'
import { access, type NewToken, getRights } from '../server/auth/access.ts'
import { signInUrl } from '../server/routes/token-routes.ts'
import { createServer } from '../server/server.ts'
import { pageBuild } from '../server/static-page.ts'
import type { Scope } from '../shapes/wire.ts'
import { installedPackage, isPageBuilt, pageFolder } from './config/installed-package.ts'
import type { OpenParley, ParleyParts } from './library.ts'
import { previewMessage } from './preview.ts'

export type WebOptions = {
  /** The address of the mounted API and page, such as `https://example.org/parley`. Its path is removed from requests. */
  url?: string
  /** Signs cookies and links: at least 32 characters. `PARLEY_SECRET` unless set; without either, sign-ins end with the process. */
  secret?: string
}

/** A token sees the dialogs of its role, a member's unless set, and with a limit only one dialog or build. */
export type TokenRights = Pick<NewToken, 'role' | 'limit'>

/** The HTTP API and the page for a server of another framework. */
export type MountedServer = {
  fetch(request: Request): Promise<Response>
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  link(path?: string): string
  createToken(name: string, scopes: readonly Scope[], rights?: TokenRights): Promise<string>
  close(graceMs?: number): Promise<void>
}

const withoutEndSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

export function mountServer(parley: OpenParley, team: Team, parts: ParleyParts, web: WebOptions): MountedServer {
  const { store, clock = systemClock, log = silentLog, policy = () => defaultPolicy } = parts
  const url = web.url === undefined ? null : new URL(web.url)
  const basePath = withoutEndSlash(url?.pathname ?? '')
  const chosen = web.secret ?? process.env['PARLEY_SECRET']
  const secret = { value: chosen ?? randomBytes(32).toString('hex'), isOwn: chosen !== undefined }
  const accessControl = access({ store, secret, clock, ids: randomIds, rights: () => getRights(policy()) })
  const staticDir = isPageBuilt() ? pageFolder : undefined
  const server = createServer({
    parley,
    visibility: parley.visibility,
    access: accessControl,
    log,
    clock,
    staticDir,
    basePath,
    preview: previewMessage,
    origins: url ? [url.origin] : [],
    info: () => ({
      version: installedPackage.version,
      build: pageBuild(staticDir) ?? 'none',
      agents: team.list().map((each) => ({ ...each, default: each.name === team.default })),
      demo: false,
      problems: [],
    }),
  })
  return {
    fetch: server.fetch,
    upgrade: server.upgrade,
    link(path) {
      if (!url) throw new TypeError('A sign-in link needs the address of the page: parley({ web: { url } }).')
      return signInUrl(`${url.origin}${basePath}`, accessControl.signInKey().key, path)
    },
    createToken: async (name, scopes, rights) => (await accessControl.createToken(name, scopes, rights)).token,
    async close(graceMs) {
      await server.close(graceMs)
      accessControl.close()
    },
  }
}
