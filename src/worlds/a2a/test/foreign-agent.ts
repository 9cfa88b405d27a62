import { randomBytes, randomUUID } from 'node:crypto'
import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'

const extension = 'urn:uuid:af4a23fc-1711-516b-87b3-8e14b75e7cf6'

export type Binding = 'JSONRPC' | 'HTTP+JSON'

/** An agent of another owner. It knows A2A and the official SDK, and nothing of Parley but the extension on the card. */
export async function foreignAgent(origin: string, binding: Binding = 'JSONRPC') {
  const secret = randomBytes(24).toString('hex')
  const pinned: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin !== origin) throw new Error(`not the origin of the card: ${url.origin}`)
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${secret}`)
    return fetch(url, { ...init, headers, redirect: 'error' })
  }
  const options = {
    transports: [
      binding === 'JSONRPC' ? new JsonRpcTransportFactory({ fetchImpl: pinned }) : new RestTransportFactory({ fetchImpl: pinned }),
    ],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: pinned }),
  }
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options))
  const reach = (code: string): Promise<Client> => factory.createFromUrl(`${origin}/a2a/${code}/`)

  const write = (text: string, change: Partial<Message> = {}, own: Record<string, unknown> = {}): Message => ({
    messageId: randomUUID(),
    taskId: '',
    contextId: '',
    role: Role.ROLE_USER,
    parts: text === '' ? [] : [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    metadata: { [extension]: { displayName: 'Foreign', ...own } },
    extensions: [],
    referenceTaskIds: [],
    ...change,
  })
  const send = async (client: Client, message: Message): Promise<Task> =>
    (await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined })) as Task
  return { reach, write, send, secret, factory, state: (task: Task) => TaskState[task.status?.state ?? 0] }
}

export const readMessageText = (message: Message | undefined): string =>
  message?.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('') ?? ''
