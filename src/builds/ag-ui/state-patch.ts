import type { AgUiEventOf } from './ag-ui-event.ts'
import type { AgUiState } from './build-picture.ts'

type Patch = AgUiEventOf<'STATE_DELTA'>['delta']

/** The JSON Patch (RFC 6902) between two states. Steps are only added or change their state. */
export function statePatch(before: AgUiState, after: AgUiState): Patch {
  const patch: Patch = []
  for (const name of ['status', 'question', 'output', 'reason'] as const) {
    if (before[name] !== after[name]) patch.push({ op: 'replace', path: `/${name}`, value: after[name] })
  }
  for (const [index, step] of after.steps.entries()) {
    const previous = before.steps[index]
    if (!previous) patch.push({ op: 'add', path: '/steps/-', value: step })
    else if (previous.state !== step.state) patch.push({ op: 'replace', path: `/steps/${index}/state`, value: step.state })
  }
  return patch
}
