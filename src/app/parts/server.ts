import type { OpenMessaging } from '../../chats/open-messaging.ts'
import type { Log } from '../../ports/log.ts'
import type { Access } from '../../server/auth/access.ts'
import type { PrometheusMetrics } from '../../server/metrics.ts'
import { createServer, type ParleyServer } from '../../server/server.ts'
import { pageBuild } from '../../server/static-page.ts'
import type { Notifications } from '../../shapes/notifications.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import { findCommandName } from '../../shapes/find-command-name.ts'
import { installedPackage, isPageBuilt, pageFolder } from '../config/installed-package.ts'
import type { OpenParley } from '../library.ts'
import { previewMessage } from '../preview.ts'
import type { StartOptions } from '../start-options.ts'
import type { PageAddress } from './page-address.ts'
import type { Part } from './part-stack.ts'
import { serverSettings } from './server-settings.ts'
import type { Settings } from './settings.ts'
import type { ServedTeam } from './team.ts'

export type ServedServerParts = {
  options: StartOptions
  settings: Settings
  dataDir: string
  parley: OpenParley
  messaging: OpenMessaging
  notifications: Notifications
  worlds: Worlds | undefined
  access: Access
  served: ServedTeam
  page: PageAddress
  problems(): string[]
  log: Log
  metrics: PrometheusMetrics
}

export const serverPart = (parts: ServedServerParts): Part<{ server: ParleyServer; url: string }> => ({
  name: 'server',
  async start() {
    const { options, settings, dataDir, parley, messaging, notifications, worlds, access, served, page, problems, log, metrics } = parts
    const { server: where, limits } = settings.initial.config
    const { team, isScripted } = served
    const staticDir = isPageBuilt() ? pageFolder : undefined
    const server = createServer({
      parley,
      visibility: parley.visibility,
      access,
      log,
      metrics,
      staticDir,
      preview: previewMessage,
      messaging,
      notifications,
      settings: serverSettings({ settings, dataDir, problems, reread: settings.reread }),
      worlds,
      controls: messaging.page,
      origins: where.origins,
      embedOrigins: where.embedOrigins,
      commandName: findCommandName(settings.env()),
      probesOnly: options.only === 'worker',
      limits: {
        bodyBytes: limits.bodyBytes,
        requestsPerMinute: limits.requestsPerMinute,
        connections: { live: limits.liveConnections, livePerToken: limits.liveConnectionsPerToken },
      },
      info: () => ({
        version: installedPackage.version,
        build: pageBuild(staticDir) ?? 'none',
        agents: team.list().map((each) => {
          const { models } = team.agent(each.name) ?? {}
          return { ...each, default: each.name === team.default, ...(models && { models: [...models] }) }
        }),
        demo: options.demo === true && isScripted(),
        problems: problems(),
      }),
    })
    try {
      // Probes of workers beside a web process must not take its port.
      const { host = where.host, port = options.only === 'worker' ? 0 : where.port, nextFreePort = false } = options
      const url = await server.listen({ host, port, nextFree: nextFreePort })
      page.listensAt(url)
      return { server, url }
    } catch (error) {
      await server.close(0)
      throw error
    }
  },
  stop: ({ server }, graceMs) => server.close(graceMs, parts.settings.initial.config.limits.drainSeconds * 1_000),
})
