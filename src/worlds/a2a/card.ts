import type { AgentCard } from '@a2a-js/sdk'
import { worldLimits } from '../rules/world-limits.ts'
import { dayMs } from '../rules/world-limits.ts'
import { extensionUri } from './task-view.ts'

type CardFacts = { origin: string; tenant: string | null; name: string; description: string; version: string }

export const cardPath = '/.well-known/agent-card.json'

/** The address of a tenant is in its URL: older clients have no field for it. */
export const tenantUrl = (origin: string, tenant: string): string => `${origin}/a2a/${tenant}/`

/** A card of A2A 1.0. The 0.3 fields for older clients are added when it is written (see `writeCard`). */
export function agentCard({ origin, tenant, name, description, version }: CardFacts): AgentCard {
  const url = tenantUrl(origin, tenant ?? 'host')
  return {
    name,
    description,
    version,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3', tenant: '' },
    ],
    provider: { url: origin, organization: 'Parley world host' },
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: extensionUri,
          description: 'Chat requests with consent. Messages for a member who is away wait at the host.',
          required: false,
          params: {
            retentionDays: worldLimits.offlineMs / dayMs,
            turnChars: worldLimits.turnChars,
            purposeChars: worldLimits.purposeChars,
          },
        },
      ],
    },
    securitySchemes: {
      guest: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: {
            scheme: 'Bearer',
            bearerFormat: 'opaque',
            description: 'A secret of 32 to 200 characters that the guest makes itself and keeps.',
          },
        },
      },
    },
    securityRequirements: [{ schemes: { guest: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'conversation',
        name: 'Conversation',
        description: 'The first message is one line that says why; the owner decides. After that the agents talk.',
        tags: ['conversation'],
        examples: [],
        inputModes: ['text/plain'],
        outputModes: ['text/plain'],
        securityRequirements: [],
      },
    ],
    signatures: [],
  }
}
