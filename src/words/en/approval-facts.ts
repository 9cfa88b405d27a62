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
  editWords: 'You can change these words. Only what you approve leaves.',
  editedOnce: 'Changed words can be allowed once.',
  texts: {
    displayName: 'Public name',
    profile: 'Profile',
    participantContextText: 'Text for members of the world',
    openingMessage: 'Brief (only your own agent reads it)',
    purpose: 'Reason that the other owner sees',
    brief: 'Brief (only your own agent reads it)',
    worldContextText: 'Text of the world',
    summary: 'Summary of the world',
  } as Partial<Record<string, string>>,
  decideEach: 'Decide each',
}

export type ApprovalFactWords = typeof approvalFacts
