import { can, type Principal } from './principal.ts'
import type { DeliveryView, EventView, QuestionView } from '../../shapes/wire.ts'
import type { Approval, GateRecord, ShownCall } from '../../dialogs/rules/approval.ts'
import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import { ParleyError } from '../../errors.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { HiddenApproval, Visibility } from '../../ports/visibility.ts'

/**
 * Hides the arguments of calls that wait for an approval from callers who may not decide it. They see that something waits,
 * and for whom; after the decision they see the call like any other.
 */
export type HiddenArguments = {
  readonly isNeeded: boolean
  inQuestion(view: QuestionView): Promise<QuestionView>
  inEvents(events: EventView[]): Promise<EventView[]>
  inDelivery(delivery: DeliveryView): Promise<DeliveryView>
}

type Asked = Extract<DialogEvent, { type: 'question.asked' }>['data']
type Called = Extract<DialogEvent, { type: 'tool.called' }>['data']
type Planned = { about?: string | null; message: object }

export function hiddenArguments(parley: Parley, principal: Principal, visibility: Visibility): HiddenArguments {
  const decider = can(principal, 'approve') ? principal.author : null
  const isNeeded = decider?.role !== 'owner'

  const hiddenIn = (dialog: string): Promise<readonly HiddenApproval[]> => visibility.hiddenApprovals(dialog, decider)

  /** The line that stands for a question whose arguments are hidden; null when nothing is hidden. */
  async function waitingLine(question: string, dialog: string): Promise<string | null> {
    return (await hiddenIn(dialog)).find((one) => one.question === question)?.waiting ?? null
  }

  async function inQuestion(view: QuestionView): Promise<QuestionView> {
    if (!view.approval || view.state !== 'open') return view
    const waiting = isNeeded ? await waitingLine(view.id, view.dialog) : null
    if (waiting !== null) return hideInQuestion(view, waiting)
    return principal.limit ? withoutAlways(view) : view
  }

  /** Cards of approvals are messages to approvers, and stand in the log of deliveries. Each is about the first of its approvals. */
  async function lineAbout(about: string | null | undefined): Promise<string | null> {
    const [, question] = /^approvals:(.+)$/s.exec(about ?? '') ?? []
    if (!isNeeded || question === undefined) return null
    const view = await parley.questions.get(question).catch((error: unknown) => {
      if (error instanceof ParleyError && error.code === 'question_not_found') return null
      throw error
    })
    if (!view?.approval) return null
    const [first] = await hiddenIn(view.dialog)
    return first?.waiting ?? null
  }

  async function findAbout(event: EventView): Promise<string | null | undefined> {
    if (event.type === 'delivery.planned') return (event.data as Planned).about
    const [planned] = await parley.events.read({ stream: event.stream, after: 0, limit: 1 })
    return (planned?.data as Planned | undefined)?.about
  }

  async function inEvent(event: EventView, hidden: (dialog: string) => Promise<readonly HiddenApproval[]>): Promise<EventView> {
    switch (event.type) {
      case 'tool.called': {
        const data = event.data as Called
        if (data.gate?.decision !== 'ask') return event
        const isHidden = (await hidden(event.stream)).some(({ call }) => call === data.call)
        return isHidden ? { ...event, data: { ...data, name: '', input: {}, gate: hideInGate(data.gate) } satisfies Called } : event
      }
      case 'question.asked': {
        const data = event.data as Asked
        if (!data.approval) return event
        const match = (await hidden(event.stream)).find(({ question }) => question === data.question)
        if (!match) return event
        const ask = { text: match.waiting, items: [] }
        return { ...event, data: { ...data, ask, approval: hideInApproval(data.approval) } satisfies Asked }
      }
      case 'delivery.intended': {
        const { controls } = event.data as { controls: readonly unknown[] }
        const isHidden = controls.length > 0 && (await lineAbout(await findAbout(event))) !== null
        return isHidden ? { ...event, data: { ...event.data, controls: [] } } : event
      }
      case 'delivery.planned':
      case 'delivery.edited': {
        const line = await lineAbout(await findAbout(event))
        return line === null ? event : { ...event, data: { ...event.data, message: { text: line } } }
      }
      default:
        return event
    }
  }

  return {
    isNeeded: isNeeded || principal.limit !== undefined,
    inQuestion,
    async inEvents(events) {
      if (!isNeeded || !events.some(mayHoldArguments)) return events
      // One look at each dialog for a page, after the page was read: what it shows as open was open then.
      const hiddenByDialog = new Map<string, Promise<readonly HiddenApproval[]>>()
      const hidden = (dialog: string): Promise<readonly HiddenApproval[]> => {
        const entry = hiddenByDialog.get(dialog) ?? hiddenIn(dialog)
        hiddenByDialog.set(dialog, entry)
        return entry
      }
      return Promise.all(events.map((event) => inEvent(event, hidden)))
    },
    async inDelivery(delivery) {
      const line = await lineAbout(delivery.about)
      return line === null ? delivery : { ...delivery, text: line }
    },
  }
}

const holders = new Set(['tool.called', 'question.asked', 'delivery.planned', 'delivery.intended', 'delivery.edited'])

const mayHoldArguments = ({ type }: EventView): boolean => holders.has(type)

const hideInShown = ({ kind }: ShownCall): ShownCall => ({ kind, target: '', server: '', text: '', facts: [] })

const hideInGate = (gate: GateRecord): GateRecord => ({ ...gate, rules: [], because: '', toolHash: '', inputHash: '' })

function hideInApproval(approval: Approval): Approval {
  const { reason: _, ...rest } = approval
  return {
    ...rest,
    tool: '',
    toolHash: '',
    shown: hideInShown(approval.shown),
    inputHash: '',
    because: '',
    subjects: [],
    proposals: [],
    bound: {},
  }
}

/** A token limited to one dialog may not allow a call in others, so it is not offered that. */
const withoutAlways = (view: QuestionView): QuestionView => ({
  ...view,
  ask: {
    ...view.ask,
    items: view.ask.items.map((item) =>
      item.kind === 'choice' ? { ...item, options: item.options.filter(({ value }) => value !== 'always') } : item,
    ),
  },
})

function hideInQuestion(view: QuestionView, waiting: string): QuestionView {
  if (!view.approval) return view
  const { reason: _, ...approval } = view.approval
  return {
    ...view,
    ask: { text: waiting, items: [] },
    approval: { ...approval, tool: '', shown: hideInShown(approval.shown), because: '', proposals: [], isHidden: true },
  }
}
