import type { AgentOutput, AgentRuntime } from '../../ports/agent-runtime.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { announceSkip, isAnnounceSkip } from '../rules/boundary/announce.ts'
import { forwardRuntime } from './forward-runtime.ts'

/**
 * A main agent that answers a report with nothing but the token tells its owner nothing. People never see the token: they read that
 * a report is in the list. Pieces are held back as long as they could still become it.
 */
export const hideAnnounceSkip = (inner: AgentRuntime): AgentRuntime =>
  forwardRuntime(inner, async function* (input, signal): AsyncIterable<AgentOutput> {
    const instead: AgentOutput = { type: 'text', text: worldOwnerTexts[input.language].skipped }
    let pendingText = ''
    let isOver = false
    for await (const output of inner.generate(input, signal)) {
      if (output.type === 'text') {
        isOver = true
        yield isAnnounceSkip(output.text) ? instead : output
      } else if (output.type !== 'delta' || isOver) yield output
      else {
        pendingText += output.text
        if (announceSkip.startsWith(pendingText.trimStart()) || isAnnounceSkip(pendingText)) continue
        isOver = true
        yield { type: 'delta', text: pendingText }
      }
    }
    if (!isOver && pendingText !== '') yield isAnnounceSkip(pendingText) ? instead : { type: 'delta', text: pendingText }
  })
