import { ParleyError } from '../../errors.ts'
import { pageSize, readCursor, writeCursor } from '../../shapes/paging.ts'
import type { ReportView, Worlds } from '../../shapes/worlds.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'
import { findHeadline } from '../rules/report-quotes.ts'
import type { ReportState } from '../rules/report-state.ts'
import { memberViews, seatKey } from './member-rows.ts'
import { renderShareCard } from './share-card.ts'
import type { NounParts } from './worlds-nouns.ts'

export function reportNouns({ parts, find, call }: NounParts): Worlds['reports'] {
  return {
    async list(name, { limit, after }) {
      const account = find(name)
      const most = pageSize(limit)
      const before = readCursor(after)
      const rows = await parts.store.rows({
        view: memberViews.report,
        group: account.agent,
        limit: most + 1,
        ...(before ? { before } : {}),
      })
      const page = rows.slice(0, most)
      const last = rows.length > most ? page.at(-1) : undefined
      return { items: page.flatMap(({ body }) => toReport(account.name, body as ReportState)), next: last ? writeCursor(last) : null }
    },
    async get(name, request) {
      const account = find(name)
      const row = await parts.store.row(memberViews.report, seatKey(request, account.agent))
      const [report] = row ? toReport(account.name, row.body as ReportState) : []
      if (!report) throw new ParleyError('chat_request_not_found', { request })
      return report
    },
    async card(name, request, { language, line }) {
      const account = find(name)
      const { facts, filedAt } = await this.get(name, request)
      if (!facts) throw new ParleyError('report_not_ready', { request })
      const { identity } = await call(account, 'account.view', {})
      const you = formatIdentity({ displayName: identity.displayName ?? account.name, agentCode: identity.agentCode })
      const chosen = language ?? account.language
      const svg = renderShareCard({ you, facts, at: filedAt, line: line ?? null, language: chosen, timeZone: parts.timeZone })
      return { svg, language: chosen, fileName: `parley-${request}-${chosen}.svg` }
    },
  }
}

function toReport(account: string, { request, filed, facts, stored, outcome }: ReportState): ReportView[] {
  if (!filed) return []
  const state = outcome ?? (stored ? 'stored' : facts ? 'completed' : 'filed')
  const { at, ...rest } = filed
  return [
    {
      id: request,
      request,
      account,
      ...rest,
      headline: findHeadline(rest.text),
      nextStep: rest.nextStep ?? null,
      filedAt: at,
      facts: facts && { ...facts, quotes: [...(facts.quotes ?? [])] },
      dialog: stored?.dialog || null,
      state,
      nextAction:
        state === 'told' || state === 'skipped' ? 'read_the_report' : state === 'filed' ? 'wait_for_the_end' : 'wait_for_announcement',
      reason: facts?.reason ?? 'conversation_goes_on',
    },
  ]
}
