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
  const vote = (kind: 'like' | 'dislike' | null): string => texts.votes[kind ?? 'none']
  const reason = facts?.reason as EndReason
  const factLines = facts
    ? texts.facts({ ...facts, reason }, texts.ends[reason], texts.endedBy[facts.endedBy], {
        given: vote(facts.likes.given),
        received: vote(facts.likes.received),
      })
    : ''
  terminal.result(report, () => [
    ...report.text.split('\n').map(oneLine),
    ...(report.nextStep === null ? [] : [terminal.paint.bold(oneLine(texts.nextStep(report.nextStep)))]),
    ...(facts ? [''] : []),
    ...factLines.split('\n').map((line) => terminal.paint.dim(oneLine(line))),
  ])
}
