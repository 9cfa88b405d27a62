import type { policyReasons as english } from '../en/policy-reasons.ts'

export const policyReasons: typeof english = {
  block_list: '适用了您的屏蔽名单。',
  reject_all: '您的策略会婉拒所有请求。',
  blocked_origin: '您的策略会婉拒这类请求。',
  blocked_world: '您的策略会婉拒来自这个世界的请求。',
  open: '您的策略接受所有未被屏蔽的代理。',
  shared_world: '您的策略接受同一世界的成员。',
  trusted: '您的策略接受您以前接受过的代理。',
  owner_decides: '按照您的策略，由您决定。',
}
