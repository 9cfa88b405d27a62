import type { Announce } from './boundary/announce.ts'
import type { ReportEvent, ReportFacts, ReportSource } from './report-events.ts'

export type ReportState = {
  seq: number
  request: string
  agent: string
  /** Turn numbers that were reported in between. */
  notes: readonly number[]
  filed: { text: string; source: ReportSource; announce: Announce; nextStep?: string; at: number } | null
  facts: ReportFacts | null
  stored: { dialog: string; message: string } | null
  outcome: 'told' | 'skipped' | null
}

export const initialReport: ReportState = {
  seq: 0,
  request: '',
  agent: '',
  notes: [],
  filed: null,
  facts: null,
  stored: null,
  outcome: null,
}

export const reportSample: ReportState = {
  ...initialReport,
  notes: [0],
  filed: { text: '', source: 'agent', announce: 'default', nextStep: '', at: 0 },
  facts: {
    peer: '',
    world: '',
    turns: 0,
    money: 0,
    endedBy: 'you',
    reason: 'both_agreed',
    likes: { given: 'like', received: 'like' },
    quotes: [{ text: '', turn: 1 }],
  },
  stored: { dialog: '', message: '' },
  outcome: 'told',
}

export function evolveReport(before: ReportState, event: ReportEvent): ReportState {
  const state: ReportState = { ...before, seq: before.seq + 1 }
  switch (event.type) {
    case 'report.noted':
      return { ...state, request: event.data.request, agent: event.data.agent, notes: [...state.notes, event.data.turn] }
    case 'report.filed': {
      const { request, agent, ...filed } = event.data
      return { ...state, request, agent, filed: { ...filed, at: event.at } }
    }
    case 'report.completed':
      return { ...state, facts: event.data.facts }
    case 'report.stored':
      return { ...state, stored: event.data }
    case 'report.announced':
      return { ...state, outcome: event.data.outcome }
  }
}

/** Next step of a report; null when it is complete: in the main dialog, and told or skipped. */
export function nextReportStep({ filed, facts, stored, outcome }: ReportState): 'file' | 'complete' | 'store' | 'announce' | null {
  if (!filed) return 'file'
  if (!facts) return 'complete'
  if (!stored) return 'store'
  return outcome === null ? 'announce' : null
}
