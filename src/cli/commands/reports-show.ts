import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import type { EndReason } from '../../worlds/rules/conversation-events.ts'
import { oneLine } from '../plain-text.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const report = await withServer(terminal, ({ client }) => client.reports.get(given.arg(0), { account: given.text('account') }))
  const { facts } = report
  const texts = worldOwnerTexts[terminal.language]
  terminal.result(report, () => [
    ...(facts
      ? [
          `${terminal.paint.bold(oneLine(facts.peer))}${facts.world === null ? '' : ` · ${oneLine(facts.world)}`}`,
          terminal.words.worlds.ended(texts.ends[facts.reason as EndReason] ?? facts.reason),
        ]
      : []),
    ...report.text.split('\n').map(oneLine),
    ...(report.nextStep === null ? [] : [terminal.paint.bold(oneLine(texts.nextStep(report.nextStep)))]),
  ])
}
