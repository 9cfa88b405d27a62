import type { AgentRuntime } from '../../ports/agent-runtime.ts'

/** The runtime with another way to generate; what else it says about itself stays. */
export const forwardRuntime = (inner: AgentRuntime, generate: AgentRuntime['generate']): AgentRuntime => ({
  ...(inner.timeoutMs === undefined ? {} : { timeoutMs: inner.timeoutMs }),
  ...(inner.layout ? { layout: () => inner.layout?.() ?? '' } : {}),
  ...(inner.problems ? { problems: () => inner.problems?.() ?? [] } : {}),
  ...(inner.window ? { window: () => (inner.window as NonNullable<AgentRuntime['window']>)() } : {}),
  generate,
})
