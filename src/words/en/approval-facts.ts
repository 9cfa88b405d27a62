/** Texts that cards of approvals share on the page, in chats and in the terminal. */
export const approvalFacts = {
  facts: 'Requested by {people}. Reason: {why}.',
  person: (name: string, ...facts: readonly string[]) => (facts.length === 0 ? name : `${name} (${facts.join(', ')})`),
  roles: { owner: 'owner', operator: 'operator', member: 'member', guest: 'guest', group: 'group', peer: 'peer agent' },
  theOwner: 'the owner',
  irreversible: 'This cannot be undone.',
  interrupted: 'The server stopped while this call was running, so it may have taken effect. Allowing it runs it again.',
  tooLarge: 'The call is too large to show in full, so you can only deny it.',
  covered: 'No longer needed: allowed by a rule or grant.',
  chatCovers: (scopes: string) => `“Allow in this chat” covers ${scopes} here, for at most 30 days.`,
  allOnce: (count: number) => (count === 2 ? 'Allow both once' : `Allow all ${count} once`),
  denyAll: 'Deny all',
  decideEach: 'Decide each',
}

export type ApprovalFactWords = typeof approvalFacts
