import type { RequestView } from '../../ports/worlds.ts'
import type { ViewRow } from '../../ports/store.ts'
import type { ReportState } from '../rules/report-state.ts'

/** Views of a member. */
export const memberViews = {
  /** The seat that a dialog works for, by the dialog. Bookkeeping: written with each run. */
  channel: 'world-channel',
  /** The latest view of each request that the host has told, by `request:agent`; the group is the agent. Bookkeeping. */
  told: 'world-told',
  /** Requests of others that wait for the owner, by `request:agent`; the group is the agent. Bookkeeping. */
  waiting: 'world-waiting',
  /** Reports by `request:agent`; the group is the agent. */
  report: 'world-report',
} as const

export const seatKey = (request: string, agent: string): string => `${request}:${agent}`

export function readSeatKey(key: string): { request: string; agent: string } {
  const at = key.lastIndexOf(':')
  return { request: key.slice(0, at), agent: key.slice(at + 1) }
}

export type ChannelRow = { request: string; agent: string }

export const channelRow = (dialog: string, body: ChannelRow): ViewRow => ({
  view: memberViews.channel,
  key: dialog,
  group: body.agent,
  sort: 0,
  text: '',
  body,
})

export const toldRow = (agent: string, view: RequestView): ViewRow => ({
  view: memberViews.told,
  key: seatKey(view.request, agent),
  group: agent,
  sort: view.createdAt,
  text: '',
  body: view,
})

/** Present while the request waits for the owner: any later state removes it. */
export const waitingRow = (agent: string, view: RequestView): ViewRow | { view: string; key: string; body: null } =>
  view.direction === 'inbound' && view.status === 'pending'
    ? { ...toldRow(agent, view), view: memberViews.waiting }
    : { view: memberViews.waiting, key: seatKey(view.request, agent), body: null }

export const reportRow = (state: ReportState, at: number): ViewRow => ({
  view: memberViews.report,
  key: seatKey(state.request, state.agent),
  group: state.agent,
  sort: state.filed?.at ?? at,
  text: state.filed?.text ?? '',
  body: state,
})
