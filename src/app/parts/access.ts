import type { Clock } from '../../ports/clock.ts'
import { randomIds } from '../../ports/ids.ts'
import type { Store } from '../../ports/store.ts'
import { type Access, access, getRights } from '../../server/auth/access.ts'
import type { Secret } from '../../server/auth/secret.ts'
import type { LivePolicy } from './live-policy.ts'
import type { Part } from './part-stack.ts'

export const accessPart = (parts: { store: Store; secret: Secret; clock: Clock; policy: LivePolicy }): Part<Access> => ({
  name: 'access',
  start() {
    const { store, secret, clock, policy } = parts
    const accessControl = access({ store, secret, clock, ids: randomIds, rights: () => getRights(policy.current()) })
    policy.onChange(() => accessControl.recheck())
    return accessControl
  },
  stop: (accessControl) => accessControl.close(),
})
