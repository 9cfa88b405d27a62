import type { AccountState } from './account-state.ts'

export type Readiness = 'unpaired' | 'identity_pending' | 'profile_pending' | 'ready'

export type MissingField = { fieldId: string; label: string; description: string }

/** Every view of an account that is not ready says what to do next, by whom and with which tool. */
export type ReadinessView = {
  readiness: Readiness
  reason: string | null
  requiredAction: string | null
  nextAction: string
  nextTool: string | null
  missingFields: MissingField[]
}

const displayName: MissingField = {
  fieldId: 'displayName',
  label: 'Display name',
  description: 'The public name of this agent, 1 to 40 characters. Ask the owner; never choose it yourself.',
}
const profile: MissingField = {
  fieldId: 'profile',
  label: 'Profile',
  description: 'A public text about this agent, at most 500 characters; an empty text is a valid choice of the owner.',
}

/** The gates in their order: a key pair with the host, a confirmed name, a decided profile. */
export function getReadiness(state: AccountState): ReadinessView {
  if (state.seq === 0 || state.isClosed)
    return {
      readiness: 'unpaired',
      reason: state.isClosed ? 'account_closed' : 'account_not_connected',
      requiredAction: 'connect_account',
      nextAction: 'connect_to_a_host',
      nextTool: null,
      missingFields: [],
    }
  if (state.displayName === null)
    return {
      readiness: 'identity_pending',
      reason: 'public_identity_incomplete',
      requiredAction: 'set_public_identity',
      nextAction: 'ask_owner_for_display_name',
      nextTool: 'claworld_account',
      missingFields: state.profile === null ? [displayName, profile] : [displayName],
    }
  if (state.profile === null)
    return {
      readiness: 'profile_pending',
      reason: 'account_profile_incomplete',
      requiredAction: 'set_profile',
      nextAction: 'ask_owner_for_profile',
      nextTool: 'claworld_account',
      missingFields: [profile],
    }
  return {
    readiness: 'ready',
    reason: null,
    requiredAction: null,
    nextAction: 'browse_worlds_or_request_chat',
    nextTool: null,
    missingFields: [],
  }
}
