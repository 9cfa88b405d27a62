import type { Access } from '../auth/access.ts'
import type { Site } from '../auth/same-site.ts'
import { type Log, silentLog } from '../../ports/log.ts'
import type { Notifications } from '../../shapes/notifications.ts'
import type { Messaging } from '../../shapes/messaging.ts'
import type { ServerSettings } from '../../shapes/settings.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import { agUiRoute } from './ag-ui-route.ts'
import { authorityRoutes } from './authority-routes.ts'
import { buildRoutes } from './build-routes.ts'
import { controlRoutes, type ReplyControls } from './control-routes.ts'
import { dialogRoutes } from './dialog-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { messageFileRoutes } from './message-file-routes.ts'
import { notificationRoutes } from './notification-routes.ts'
import { messagingRoutes, type Preview } from './messaging-routes.ts'
import { questionRoutes } from './question-routes.ts'
import { type Route, withFormerPath } from './route.ts'
import { type ServerFacts, serverRoutes } from './server-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { taskdocRoutes } from './taskdoc-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { worldRoutes } from './world-routes.ts'

export type RouteParts = ServerFacts & {
  /** The chat apps; without any, their routes say so. */
  messaging?: Messaging | undefined
  /** Web Push to browsers; without it, its routes say so. */
  notifications?: Notifications | undefined
  /** parley.yaml on the page; without it, its routes say so. */
  settings?: ServerSettings | undefined
  /** Conversations with agents of other owners; without any, their routes say so. */
  worlds?: Worlds | undefined
  /** Controls of plugins below replies. */
  controls?: ReplyControls | undefined
  access: Access
  site: Site
  url: () => string
  streamsOver: AbortSignal
  preview: Preview
  log?: Log
}

/** The whole API, with the paths of earlier versions. */
export const routes = (parts: RouteParts): Route[] => table(parts).flatMap(withFormerPath)

function table(parts: RouteParts) {
  const { messaging, notifications, settings, worlds, controls, access, site, url, streamsOver, preview, log = silentLog } = parts
  return [
    ...serverRoutes(parts),
    ...dialogRoutes(),
    ...taskdocRoutes(),
    ...questionRoutes(messaging, worlds),
    ...messagingRoutes(messaging, preview),
    ...fileRoutes(messaging),
    ...messageFileRoutes(),
    ...controlRoutes(controls),
    ...authorityRoutes(),
    ...buildRoutes(access, streamsOver),
    agUiRoute(access, streamsOver, log),
    ...eventRoutes(access, streamsOver),
    ...searchRoutes(),
    ...sessionRoutes(access, site),
    ...notificationRoutes(notifications),
    ...tokenRoutes(access, url),
    ...settingsRoutes(settings),
    ...worldRoutes(worlds),
  ]
}

/** Every route with its schemas. The client infers its types from this. */
export type RouteTable = ReturnType<typeof table>[number]
