/** The dialogs in which agents work that talk with agents of other owners. They are in no list of people's dialogs. */
export const peerDialog = (name: string): string => `dlg_peer_${name}`

export const isPeerDialog = (dialog: string): boolean => dialog.startsWith(peerDialog(''))

const channelPrefix = 'channel:'

/** The agent of such a dialog: a member of the team with three tools and nothing else. No name of a member has a colon in it. */
export const channelName = (agent: string): string => `${channelPrefix}${agent}`

export const isChannelName = (agent: string): boolean => agent.startsWith(channelPrefix)

export const memberOfChannel = (agent: string): string => (isChannelName(agent) ? agent.slice(channelPrefix.length) : agent)

/** Woken when a question of purpose `peer` is closed; the key is dialog and question. */
export const peerAnswerWork = 'world-answer'

export const peerAnswerKey = (dialog: string, question: string): string => `${dialog}/${question}`
