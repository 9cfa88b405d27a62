import { roleOfVia } from '../../authority/cause.ts'
import type { Author } from '../../authority/roles.ts'
import type { Participant, Via } from './dialog-events.ts'

/** Events of 0.1 name no id and no role: the surface decides then. */
export const eventAuthor = (by: Participant, via: Via | null): Author => ({
  id: by.id ?? `${via ?? 'unknown'}:${by.name}`,
  name: by.name,
  role: by.role ?? roleOfVia(via),
})
