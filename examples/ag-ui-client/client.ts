/** A build by AG-UI's own client: it runs until the build asks something, answers, and goes on in the same thread. */
import { HttpAgent } from '@ag-ui/client'
import type { Interrupt } from '@ag-ui/core'

export type Ask = (interrupt: Interrupt) => string | Promise<string>

export async function build(url: string, token: string, prompt: string, ask: Ask, say: (line: string) => void): Promise<unknown> {
  const agent = new HttpAgent({ url: `${url}/agui`, headers: { Authorization: `Bearer ${token}` } })
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: prompt })
  let failure: string | null = null
  agent.subscribe({
    onStateDeltaEvent({ event }) {
      for (const change of event.delta) if (change.op === 'add') say(`${change.value.index}/${change.value.total} ${change.value.title}`)
    },
    onTextMessageEndEvent: ({ textMessageBuffer }) => say(textMessageBuffer),
    onRunErrorEvent: ({ event }) => void (failure = event.message),
  })

  let { result } = await agent.runAgent()
  while (agent.pendingInterrupts.length > 0) {
    const resume = []
    for (const interrupt of agent.pendingInterrupts)
      resume.push({ interruptId: interrupt.id, status: 'resolved' as const, payload: await ask(interrupt) })
    ;({ result } = await agent.runAgent({ resume }))
  }
  if (failure !== null) throw new Error(failure)
  return result
}
