import type { ApprovalDecision } from './audience.ts'
import type { Role } from './roles.ts'
import type { SurfaceWords } from './surface-name.ts'
import type { UnsureWhy } from './subjects/unsure.ts'

/** The gate's reasons. The page loads them with its approvals, so they stand apart from the rest. */
export type BecauseWords = {
  because: Readonly<
    Record<
      | 'noGate'
      | 'invalidInput'
      | 'outside'
      | 'hidden'
      | 'fixed'
      | 'ruleAllow'
      | 'ruleAsk'
      | 'ruleDeny'
      | 'never'
      | 'noSubject'
      | 'unsure'
      | 'and'
      | 'grantChat'
      | 'grantAlways'
      | 'default'
      | 'locked'
      | 'askByDefault'
      | 'tooMany',
      string
    >
  >
  unsure: Readonly<Record<UnsureWhy, string>>
  /** Where a person decided or wrote. */
  surfaces: SurfaceWords
}

/** Every text of the gate and of approvals. `{name}` is filled in by `fill`. */
export type AuthorityWords = {
  title: Readonly<Record<'run' | 'write' | 'message' | 'tool' | 'batch', string>>
  roles: Readonly<Record<Role, string>>
  actions: Readonly<Record<ApprovalDecision | 'denyWithNote', string>>
  status: Readonly<Record<'requester' | 'refused' | 'late' | 'stopped' | 'changed' | 'keys', string>>
  /** Facts beside what an approval shows. */
  shown: Readonly<
    Record<
      | 'folder'
      | 'network'
      | 'noNetwork'
      | 'sandbox'
      | 'sandboxOn'
      | 'sandboxOff'
      | 'timeLimit'
      | 'seconds'
      | 'script'
      | 'realPath'
      | 'fails'
      | 'action'
      | 'message'
      | 'replyTo'
      | 'media'
      | 'silent'
      | 'yes'
      | 'differs',
      string
    >
  >
  explain: Readonly<Record<'subjects' | 'rules' | 'decision' | 'none' | 'line' | 'allow' | 'ask' | 'deny' | 'once', string>>
}

/** Fills `{name}`; a missing value leaves nothing behind, not even empty brackets. */
export function fill(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
  // In Chinese the brackets stand for the space beside a name.
  return filled.replace(/ ?\(\)/g, '').replace(/（）/g, ' ')
}
