import { type Author, lowestRole, type Role, roles } from './roles.ts'

/**
 * The people behind a turn.
 *
 * - `by`: authors of the input that no turn had taken in before; ordinary questions go to them.
 * - `role`: the floor, the lowest role whose free text is anywhere in the tree of dialogs. Old text stays in context and in
 *   reminders, so the floor never rises by itself; only an owner raises it (`raiseFloor`).
 * - `writers`: people whose text the turn reads in a task document. They caused its calls as those in `by` did, so they may not
 *   approve them; questions do not go to them, because they need not know the dialog.
 *
 * | input | in `by` | lowers the floor |
 * |---|---|---|
 * | message, note, text of a plugin, schedule or peer | yes | yes |
 * | typed answer | yes | yes |
 * | tapped option | no | no |
 * | tool output | no | no: the defaults of the gate ask instead |
 */
export type Cause = { by: readonly Author[]; role: Role; origin: Origin; writers?: readonly Author[] }

export type Origin = 'message' | 'answer' | 'schedule' | 'plugin' | 'peer' | 'tellask' | 'reply' | 'build'

export type InputKind =
  | 'message'
  | 'note'
  | 'plugin-text'
  | 'schedule-text'
  | 'peer-text'
  | 'typed-answer'
  | 'tapped-option'
  | 'tool-output'

export type Input = { kind: InputKind; author: Author }

export const causeLimits = { authors: 50 } as const

/** The floor of a tree into which no text has come yet. */
export const initialFloor: Role = 'owner'

const isFreeText = ({ kind }: Input): boolean => kind !== 'tapped-option' && kind !== 'tool-output'

/** The floor after these inputs were added to a tree. */
export const floorAfter = (floor: Role, inputs: readonly Input[]): Role =>
  lowestRole(floor, ...inputs.filter(isFreeText).map(({ author }) => author.role))

/** The cause of a turn that takes in `inputs`. */
export function causeOfTurn(floor: Role, inputs: readonly Input[], origin: Origin): Cause {
  return { by: mergeAuthors(inputs.filter(isFreeText).map(({ author }) => author)), role: floorAfter(floor, inputs), origin }
}

/** A turn that goes on after an answer keeps its cause. Text that was typed adds its author; a tap adds nothing. */
export function causeOfAnswer(waiting: Cause, answer: { author: Author; isTyped: boolean }): Cause {
  if (!answer.isTyped) return waiting
  return {
    by: mergeAuthors([...waiting.by, answer.author]),
    role: lowestRole(waiting.role, answer.author.role),
    origin: waiting.origin,
    ...withWriters(waiting.writers),
  }
}

/** The cause of a side dialog's turn: the minimum of both floors, so delegating never raises a role. */
export function causeOfTellask(asker: Cause, sideFloor: Role): Cause {
  return { by: asker.by, role: lowestRole(asker.role, sideFloor), origin: 'tellask', ...withWriters(asker.writers) }
}

/** The cause of the asker's next turn after a reply: what the side dialog read comes back with the reply. */
export function causeOfReply(asker: Cause, side: Cause): Cause {
  return {
    by: mergeAuthors([...asker.by, ...side.by]),
    role: lowestRole(asker.role, side.role),
    origin: 'reply',
    ...withWriters([...(asker.writers ?? []), ...(side.writers ?? [])]),
  }
}

/** A schedule acts with the lower of its maker's two roles. A maker who is no longer known counts as a guest. */
export function scheduleCause(maker: Author, roleNow: Role | null, floor: Role): Cause {
  const role = lowestRole(maker.role, roleNow ?? 'guest')
  return { by: [{ ...maker, role }], role: lowestRole(floor, role), origin: 'schedule' }
}

/** The field of a cause; most turns read no document of others. */
export const withWriters = (writers: readonly Author[] = []): Pick<Cause, 'writers'> =>
  writers.length === 0 ? {} : { writers: mergeAuthors(writers) }

/** Everyone whose text led to the turn. */
export const listCausers = ({ by, writers }: Cause): readonly Author[] => (writers ? [...by, ...writers] : by)

/** Logs of 0.1 have no author roles, only the surface a text came by. */
export function roleOfVia(via: string | null): Role {
  if (via === 'web' || via === 'cli') return 'owner'
  return via === 'api' || via === 'library' ? 'operator' : 'guest'
}

/** `dialogs trust`: the new floor, or null when the author may not raise it. */
export const raiseFloor = (author: Author, to: Role): Role | null => (author.role === 'owner' ? to : null)

/**
 * Each author once, with the lowest role they had. Above the limit the authors with the lowest roles are left out: `by` must
 * name those who could approve, because they may not approve what they caused.
 */
export function mergeAuthors(authors: readonly Author[]): Author[] {
  const byId = new Map<string, Author>()
  for (const author of authors) {
    const entry = byId.get(author.id)
    byId.set(author.id, entry ? { ...author, role: lowestRole(entry.role, author.role) } : author)
  }
  const merged = [...byId.values()]
  if (merged.length <= causeLimits.authors) return merged
  return merged.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role)).slice(0, causeLimits.authors)
}
