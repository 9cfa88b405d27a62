import { isPublicType } from './build-events.ts'

const personTypes: readonly string[] = [
  'build.opened',
  'build.instructed',
  'build.answered',
  'build.cancelled',
  'build.retried',
  // These say only which messages of the person were read, and which came too late.
  'build.turn.started',
  'build.told',
  'build.unheard',
]

/** The data of a build event for people who may see what was asked and answered; null where the event is for operators. */
export function dataForPerson({ type, data }: { type: string; data: object }): object | null {
  if (isPublicType(type)) return data
  if (!personTypes.includes(type)) return null
  const { prompt, text, question, answers, by, wishes } = data as Record<string, unknown>
  return Object.fromEntries(Object.entries({ prompt, text, question, answers, by, wishes }).filter(([, value]) => value !== undefined))
}
