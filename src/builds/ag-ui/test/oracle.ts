import type { Message, RunAgentInput } from '@ag-ui/core'
import { EventSchemas } from '@ag-ui/core/schemas'
import { EventEncoder } from '@ag-ui/encoder'
import { HttpAgent, verifyEvents } from '@ag-ui/client'
import { type AgUiEvent, official } from '../ag-ui-event.ts'

const input = (messages: Message[]): RunAgentInput => ({ threadId: 't', runId: 'r', messages, tools: [], context: [] })

const served = (events: readonly AgUiEvent[]): Response => {
  const encoder = new EventEncoder()
  return new Response(events.map((event) => encoder.encodeSSE(official(event))).join(''), {
    headers: { 'content-type': encoder.getContentType() },
  })
}

/** Throws what the official packages have against this run. */
export async function mustBeValid(events: readonly AgUiEvent[]): Promise<void> {
  for (const event of events) EventSchemas.parse(event)
  const agent = new HttpAgent({ url: 'http://127.0.0.1/agui', fetch: async () => served(events) })
  await new Promise<void>((resolve, reject) => {
    verifyEvents()(agent.run(input([]))).subscribe({ error: reject, complete: resolve })
  })
}

/** Applies a run with the official client and returns it with its messages, state and open questions. */
export async function applied(events: readonly AgUiEvent[], agent = new HttpAgent({ url: 'http://127.0.0.1/agui' })): Promise<HttpAgent> {
  agent.fetch = async () => served(events)
  const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const, payload: '-' }))
  await agent.runAgent(resume.length === 0 ? {} : { resume })
  return agent
}
