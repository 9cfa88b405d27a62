import type { EventView } from '../../shapes/wire.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'

/**
 * An event as readers get it. What was written for the model alone is left out: system prompt, tools, memories, task document,
 * reasoning. It is large, and people below member have no right to some of it.
 */
export function withoutPrompt(event: EventView): EventView {
  const { type, data } = event as EventView & DialogEvent
  switch (type) {
    case 'epoch.started':
      return { ...event, data: { why: data.why, maker: data.maker } }
    case 'course.started': {
      const { snapshot: _, ...shown } = data
      return { ...event, data: shown }
    }
    case 'generation.finished': {
      const { output: _, ...shown } = data
      return { ...event, data: shown }
    }
    case 'prompt.told':
      return { ...event, data: { block: data.block, name: data.name } }
    default:
      return event
  }
}
