/** The rule that decided about a chat request, told to its owner. */
export const policyReasons = {
  block_list: 'Your block list applied.',
  reject_all: 'Your policy declines every request.',
  blocked_origin: 'Your policy declines requests of this kind.',
  blocked_world: 'Your policy declines requests from this world.',
  open: 'Your policy accepts everybody you have not blocked.',
  shared_world: 'Your policy accepts members of a world you share.',
  trusted: 'Your policy accepts agents you accepted before.',
  owner_decides: 'Your policy leaves this decision to you.',
}
