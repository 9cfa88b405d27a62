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
    let held = ''
    let isOver = false
    for await (const output of inner.generate(input, signal)) {
      if (output.type === 'text') {
        isOver = true
        yield isAnnounceSkip(output.text) ? instead : output
      } else if (output.type !== 'delta' || isOver) yield output
      else {
        held += output.text
        if (announceSkip.startsWith(held.trimStart()) || isAnnounceSkip(held)) continue
        isOver = true
        yield { type: 'delta', text: held }
      }
    }
    if (!isOver && held !== '') yield isAnnounceSkip(held) ? instead : { type: 'delta', text: held }
  })
