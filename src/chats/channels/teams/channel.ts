import type { Channel, PlatformRequest, Receipt, SentAt } from '../../../ports/channel.ts'
import { teamsAddress, toChat, toConversation } from './address.ts'
import { teamsCapabilities } from './capabilities.ts'
import type { TeamsClient } from './client.ts'
import type { ServiceUrls } from './service-urls.ts'
import { renderTeams } from './render.ts'

type TeamsChannelParts = { name: string; client: TeamsClient; serviceUrls: ServiceUrls; now: () => number }

/** One bot of Teams. A message to a channel begins a thread there. */
export function teamsChannel({ name, client, serviceUrls, now }: TeamsChannelParts): Channel {
  const at = ({ address, messageId }: SentAt) => ({ conversationId: toConversation(address), activityId: messageId })
  return {
    name,
    capabilities: teamsCapabilities,
    address: teamsAddress,
    render: renderTeams,
    async send(request, { signal }) {
      const serviceUrl = await serviceUrls.find(toChat(request.path?.['conversationId'] ?? ''))
      const outcome = await client.call(request, { serviceUrl, signal })
      return 'failure' in outcome ? outcome : { receipt: toReceipt(outcome.result, request, now()) }
    },
    // Pictures of a message lie on the host of the service URL, which is the same for all chats of a tenant.
    download: async (fileId, signal) => client.download(fileId, { serviceUrl: await serviceUrls.find(''), signal }),
    operations: {
      pin: () => ({ operation: 'pin' }),
      unpin: () => ({ operation: 'unpin' }),
      remove: (where) => ({ operation: 'Conversations_DeleteActivity', path: at(where) }),
      react: () => ({ operation: 'react' }),
      stripControls: () => ({ operation: 'stripControls' }),
      typing: (address) => ({
        operation: 'Conversations_SendToConversation',
        path: { conversationId: toConversation(address) },
        body: { type: 'typing' },
      }),
      answerTap: () => null,
    },
  }
}

function toReceipt({ id }: Record<string, unknown>, { path = {} }: PlatformRequest, at: number): Receipt {
  const messageId = typeof id === 'string' ? id : path['activityId']
  return { address: path['conversationId'] ?? '', messageIds: messageId === undefined ? [] : [messageId], at }
}
