import type { StreamKind } from '../../streams/decider.ts'
import { decideReport, type ReportCommand } from '../rules/decide-report.ts'
import type { Timed } from '../rules/decision.ts'
import type { ReportEvent } from '../rules/report-events.ts'
import { evolveReport, initialReport, nextReportStep, reportSample, type ReportState } from '../rules/report-state.ts'
import { reportRow, seatKey } from './member-rows.ts'
import { memberWork } from './member-work.ts'

/** The report of one intent to one owner as the stream handler runs it. */
export const reportKind: StreamKind<ReportState, Timed<ReportCommand>, ReportEvent> = {
  initial: initialReport,
  decide: decideReport,
  evolve: evolveReport,
  consequences(_stream, events, after) {
    const at = events.at(-1)?.at ?? 0
    const isOpen = nextReportStep(after) !== null
    return {
      rows: [reportRow(after, at)],
      wake: isOpen ? [{ kind: memberWork.report, key: seatKey(after.request, after.agent), at }] : [],
    }
  },
  sample: reportSample,
  weigh: (state) => 1_000 + (state.filed?.text.length ?? 0),
}
