import {
  type AdaptedButton,
  type AddressRules,
  type Channel,
  type CapabilitySheet,
  plainAddresses,
  type PlatformRequest,
  type Receipt,
  type SendFailure,
} from '../../../ports/channel.ts'

export type Effect = { operation: string; address: string; text: string; id: string; key: string; at: number; controls: string[] }

/** Faults of the next calls, in order; without one they succeed. */
export type Fault =
  | { failure: Partial<SendFailure> & { code: SendFailure['code'] } }
  /** The effect happened, the answer was lost. */
  | { lost: true }
  | 'ok'

const plainSheet: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    context: true,
    divider: true,
    limits: { text: { maxLength: 100, encoding: 'characters', supportsEdit: true }, actions: { maxValueBytes: 64 } },
  },
  delivery: {
    pinSentMessage: true,
    idempotency: null,
    editing: { ability: 'controls-alone' },
    streaming: 'edit',
    removeSentMessage: true,
    react: true,
    tapDeadlineMs: 10_000,
    tapAnswer: 'call',
    maxToastLength: 200,
    rates: [],
  },
}

/** A platform that counts what really happened on it. With `keyed`, it notices a repeated key as such platforms do. */
export function loopbackChannel(
  options: {
    delivery?: Partial<CapabilitySheet['delivery']>
    address?: Partial<AddressRules>
    maxLength?: number
    now?: () => number
  } = {},
) {
  const { now = () => 0 } = options
  const { presentation } = plainSheet
  const { maxLength = presentation.limits?.text?.maxLength } = options
  const textLimits = { ...presentation.limits?.text, ...(maxLength !== undefined && { maxLength }) }
  const capabilities: CapabilitySheet = {
    presentation: { ...presentation, limits: { ...presentation.limits, text: textLimits } },
    delivery: { ...plainSheet.delivery, ...options.delivery },
  }
  const effects: Effect[] = []
  const calls: PlatformRequest[] = []
  const faults: Fault[] = []
  const toasts: { tap: string; toast: string | null }[] = []
  const receiptsByKey = new Map<string, Receipt>()
  /** Files for download, by id. */
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  /** Messages that people see now, by id. */
  const screen = new Map<string, { address: string; text: string; controls: string[]; labels: string[]; pinned: boolean }>()
  let ids = 0
  /** Told before each call; a test may hold or kill here. */
  const hooks: { before?: (request: PlatformRequest) => void | Promise<void>; after?: (request: PlatformRequest) => void | Promise<void> } =
    {}

  function perform({ operation, body = {} }: PlatformRequest, key: string): Receipt {
    const address = text(body['address'])
    if (operation === 'toast') {
      toasts.push({ tap: String((body['tap'] as { data: { id?: string } }).data.id), toast: (body['toast'] as string | null) ?? null })
      return { address, messageIds: [], at: now() }
    }
    const entry = capabilities.delivery.idempotency && operation === 'send' ? receiptsByKey.get(key) : undefined
    if (entry) return entry
    const id = operation === 'send' ? `m${++ids}` : String(body['id'])
    const controls = (body['controls'] ?? []) as string[]
    const labels = (body['labels'] ?? []) as string[]
    effects.push({ operation, address, text: text(body['text']), id, key, at: now(), controls })
    if (operation === 'send') screen.set(id, { address, text: text(body['text']), controls, labels, pinned: false })
    const screenMessage = screen.get(id)
    if (screenMessage && operation === 'edit') Object.assign(screenMessage, { text: text(body['text']), controls, labels })
    if (screenMessage && operation === 'strip') Object.assign(screenMessage, { controls: [], labels: [] })
    if (screenMessage && operation === 'pin') screenMessage.pinned = true
    if (operation === 'remove') screen.delete(id)
    const receipt = { address, messageIds: [id], at: now() }
    receiptsByKey.set(key, receipt)
    return receipt
  }

  const channel: Channel = {
    name: 'fake',
    capabilities,
    render: ({ parts }, { address, edit = [], plain = false }) => ({
      requests: parts.map(({ blocks }, index) => {
        const text = blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join('\n\n')
        const controls = blocks.flatMap((block) =>
          block.type === 'buttons' ? block.rows.flat().flatMap(({ press }) => seenOn(press)) : [],
        )
        const labels = blocks.flatMap((block) =>
          block.type === 'buttons' ? block.rows.flat().flatMap(({ label, press }) => seenOn(press).map(() => label)) : [],
        )
        const id = edit[index]
        return {
          operation: id === undefined ? 'send' : 'edit',
          body: { address, text, controls, labels, ...(plain && { plain }), ...(id !== undefined && { id }) },
        }
      }),
    }),
    address: { ...plainAddresses, ...options.address },
    async send(request, { key }) {
      calls.push(request)
      await hooks.before?.(request)
      const fault = request.operation === 'toast' ? 'ok' : (faults.shift() ?? 'ok')
      if (fault !== 'ok' && 'failure' in fault)
        return { failure: { why: `it said ${fault.failure.code}`, retryable: false, maybeSent: false, ...fault.failure } }
      const receipt = perform(request, key)
      await hooks.after?.(request)
      if (fault !== 'ok')
        return { failure: { code: 'unreachable', why: 'no answer came', retryable: true, maybeSent: request.operation === 'send' } }
      return { receipt }
    },
    async download(fileId) {
      const bytes = files.get(fileId)
      if (bytes) return { file: { body: new Blob([bytes]).stream(), sizeBytes: bytes.length, name: `${fileId}.bin` } }
      return { failure: { code: 'gone', why: 'there is no such file', retryable: false, maybeSent: false } }
    },
    operations: {
      pin: ({ address, messageId }, notify) => ({ operation: 'pin', body: { address, id: messageId, notify } }),
      unpin: ({ address, messageId }) => ({ operation: 'unpin', body: { address, id: messageId } }),
      remove: ({ address, messageId }) => ({ operation: 'remove', body: { address, id: messageId } }),
      react: ({ address, messageId }) => ({ operation: 'react', body: { address, id: messageId } }),
      stripControls: ({ address, messageId }) => ({ operation: 'strip', body: { address, id: messageId } }),
      typing: () => null,
      answerTap: (tap, toast) => ({ operation: 'toast', body: { tap, toast } }),
    },
  }
  const sends = (): Effect[] => effects.filter(({ operation }) => operation === 'send')
  return { channel, files, effects, calls, faults, toasts, screen, hooks, sends }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function seenOn(press: AdaptedButton['press']): string[] {
  if (press.type === 'none') return []
  return [press.type === 'value' ? press.value : press.type === 'url' ? press.url : press.text]
}
