import type { AgentOutput, AgentRuntime, GenerationInput } from '../../ports/agent-runtime.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { type Announce, announceSkip, isAnnounceSkip, readAnnouncement } from '../rules/boundary/announce.ts'
import { forwardRuntime } from './forward-runtime.ts'

/**
 * A main agent that answers a report with nothing but the token tells its owner nothing. People never see the token: they read that
 * a report is in the list, or the report itself where the announcement is required. Pieces are held back as long as they could still
 * become the token.
 */
export const hideAnnounceSkip = (inner: AgentRuntime): AgentRuntime =>
  forwardRuntime(inner, async function* (input, signal): AsyncIterable<AgentOutput> {
    const report = findReport(input)
    const show = (text: string): string => {
      if (!report && !isAnnounceSkip(text)) return text
      const announcement = readAnnouncement(text, report?.announce ?? 'default')
      if (announcement.kind === 'say') return announcement.text
      return (announcement.kind === 'report' && report?.text) || worldOwnerTexts[input.language].skipped
    }
    let pendingText = ''
    let isOver = false
    for await (const output of inner.generate(input, signal)) {
      if (output.type === 'text') {
        isOver = true
        yield output.text.includes(announceSkip) ? { ...output, text: show(output.text) } : output
      } else if (output.type !== 'delta' || isOver) yield output
      else {
        pendingText += output.text
        if (announceSkip.startsWith(pendingText.trimStart()) || isAnnounceSkip(pendingText)) continue
        isOver = true
        yield { type: 'delta', text: pendingText }
      }
    }
    if (!isOver && pendingText !== '') yield { type: 'delta', text: isAnnounceSkip(pendingText) ? show(pendingText) : pendingText }
  })

/** The report that the agent is to tell about now: the last message, as `storeReport` writes it. */
function findReport({ context }: GenerationInput): { announce: Announce; text: string } | null {
  const last = context.findLast(({ kind }) => kind === 'human')
  if (last?.kind !== 'human') return null
  for (const { announce } of Object.values(worldOwnerTexts))
    for (const kind of ['required', 'default'] as const)
      if (last.text.startsWith(`${announce[kind]}\n\n`)) {
        const fenced = last.text.slice(announce[kind].length + 2).split('\n')
        return { announce: kind, text: fenced.slice(1, -1).join('\n') }
      }
  return null
}
