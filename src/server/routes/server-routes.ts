import { can } from '../auth/principal.ts'
import type { ServerInfo } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { route } from './route.ts'

export type ServerFacts = {
  info: () => Promise<ServerInfo>
  isClosing: () => boolean
  /** Rejects when nothing can be stored. */
  isReady: () => Promise<void>
  metricsText: () => string
}

export const serverRoutes = ({ info, isClosing, isReady, metricsText }: ServerFacts) => [
  route({
    operation: 'server.health',
    summary: 'Liveness: the process is running',
    status: 200,
    response: responses.fine,
    handle: async () => ({ ok: true }),
  }),
  route({
    operation: 'server.ready',
    summary: 'Readiness: it is not stopping, and the store is writable',
    status: 200,
    response: responses.fine,
    async handle() {
      if (isClosing()) throw new ParleyError('shutting_down')
      await isReady()
      return { ok: true }
    },
  }),
  route({
    operation: 'server.metrics',
    summary: 'Metrics for Prometheus',
    status: 200,
    handle: async () => ({
      raw: new Response(metricsText(), { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }),
    }),
  }),
  route({
    operation: 'server.info',
    summary: 'Version, agents and problems',
    status: 200,
    response: responses.info,
    async handle({ principal, caller: { by } }) {
      const { id: person, name, role } = by
      const all = { ...(await info()), ...(person !== undefined && role !== undefined ? { caller: { id: person, name, role } } : {}) }
      if (principal.limit) return { ...all, agents: [], problems: [], emergency: null }
      return can(principal, 'read.all') ? all : { ...all, problems: [] }
    },
  }),
]
