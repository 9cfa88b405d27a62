import { refuse } from '../../errors.ts'
import type { Announce } from './boundary/announce.ts'
import { type Decision, decideBy, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import type { ReportEvent, ReportFacts, ReportSource } from './report-events.ts'
import { nextReportStep, type ReportState } from './report-state.ts'
import { worldLimits } from './world-limits.ts'

export type ReportCommand =
  | { type: 'note-progress'; request: string; agent: string; turn: number; text: string }
  /** The same text again changes nothing; another one is refused: there is one report. */
  | { type: 'file-report'; request: string; agent: string; text: string; source: ReportSource; announce: Announce; nextStep?: string }
  | { type: 'complete-report'; facts: ReportFacts }
  | { type: 'store-report'; dialog: string; message: string }
  | { type: 'end-announcement'; outcome: 'told' | 'skipped' }

const deciders: Deciders<ReportState, ReportCommand, ReportEvent> = {
  'note-progress': (state, { at, request, agent, turn, text }) => {
    if (state.filed) return refuse('report_exists', { request })
    const refusal = refuseText('report', text, worldLimits.reportChars)
    if (refusal) return refusal
    return state.notes.includes(turn) || state.notes.length >= worldLimits.turns
      ? nothing
      : { events: [{ type: 'report.noted', at, data: { request, agent, turn, text } }] }
  },
  'file-report': (state, command) => {
    const { at, type: _, nextStep: given = '', ...data } = command
    const text = data.text.trim()
    const nextStep = given.trim()
    // The runtime only fills a gap.
    if (state.filed)
      return state.filed.text === text || data.source === 'runtime' ? nothing : refuse('report_exists', { request: data.request })
    const refusal =
      refuseText('report', text, worldLimits.reportChars) ?? refuseText('nextStep', nextStep, worldLimits.nextStepChars, false)
    return refusal ?? { events: [{ type: 'report.filed', at, data: { ...data, text, ...(nextStep !== '' && { nextStep }) } }] }
  },
  'complete-report': (state, { at, facts }) =>
    nextReportStep(state) === 'complete' ? { events: [{ type: 'report.completed', at, data: { facts } }] } : refuseEarly(state),
  'store-report': (state, { at, dialog, message }) =>
    nextReportStep(state) === 'store' ? { events: [{ type: 'report.stored', at, data: { dialog, message } }] } : refuseEarly(state),
  'end-announcement': (state, { at, outcome }) => {
    if (nextReportStep(state) !== 'announce') return refuseEarly(state)
    // A required announcement is told, whatever the main agent made of it.
    const isRequired = state.filed?.announce === 'required'
    return { events: [{ type: 'report.announced', at, data: { outcome: isRequired ? 'told' : outcome } }] }
  },
}

/** Steps that were done before are no error; steps that come too early are. */
const refuseEarly = (state: ReportState): Decision<ReportEvent> => (state.filed ? nothing : refuse('turn_over'))

export const decideReport = (state: ReportState, command: Timed<ReportCommand>): Decision<ReportEvent> => decideBy(deciders, state, command)
