import type { EventView } from '../../shapes/wire.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'

/**
 * An event as readers get it. What was written for the model alone is left out: system prompt, tools, memories, task document,
 * reasoning. It is large, and people below member have no right to some of it.
 */
export function withoutPrompt(event: EventView): EventView {
  const { type, data } = event as EventView & DialogEvent
  if (type === 'epoch.started') return { ...event, data: { why: data.why, maker: data.maker } }
  if (type === 'prompt.told') return { ...event, data: { block: data.block, name: data.name } }
  if (type === 'course.started') {
    const { snapshot: _, ...shown } = data
    return { ...event, data: shown }
  }
  if (type === 'generation.finished') {
    const { output: _, ...shown } = data
    return { ...event, data: shown }
  }
  return event
}
