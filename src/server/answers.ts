import { z } from 'zod'
import { scopes } from '../access/tokens.ts'
import { approvalDecisions } from '../authority/audience.ts'
import { roles } from '../authority/roles.ts'
import type {
  ApprovalView,
  DialogDetail,
  DialogStatus,
  DialogSummary,
  EventView,
  Page,
  QuestionView,
  ServerInfo,
  SessionView,
  TokenView,
  WholeInbox,
} from '../client/wire.ts'
import { build } from './build-answers.ts'
import { delivery, pairing, unclaimed } from './messaging-answers.ts'

/** What the API answers, for its document. The types of the wire keep these honest. */

const page = <Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> =>
  z.object({ items: z.array(item), next: z.string().nullable().describe('Give it back as `after`; null at the end.') })

const when = z.int().describe('Milliseconds since 1970.')

const error = z.object({ code: z.string(), message: z.string(), hint: z.string() })

export const failed = z.object({ error })

export const fine = z.object({ ok: z.boolean() })

const ask = z.object({
  text: z.string(),
  items: z.array(
    z.union([
      z.object({
        id: z.string(),
        text: z.string(),
        kind: z.literal('choice'),
        options: z.array(z.object({ value: z.string(), label: z.string(), hint: z.string().exactOptional() })),
      }),
      z.object({ id: z.string(), text: z.string(), kind: z.literal('text'), placeholder: z.string().exactOptional() }),
    ]),
  ),
})

const shownCall = z.object({
  kind: z.enum(['run', 'write', 'message', 'tool']),
  target: z.string(),
  server: z.string(),
  text: z.string().describe('All that runs: the command, the diff, the message, or sorted JSON.'),
  facts: z.array(z.object({ label: z.string(), value: z.string() })).readonly(),
  isCut: z.literal(true).exactOptional().describe('Larger than anybody can review: it can only be denied.'),
})

const approval = z.object({
  tool: z.string(),
  turn: z.int().nullable().describe('Approvals of the same dialog and turn belong together.'),
  names: z.array(z.string()).describe('Those who could decide when it was asked.'),
  isChanged: z.literal(true).exactOptional().describe('Approved before; the tool or a file it depends on has changed since.'),
  isInterrupted: z.literal(true).exactOptional().describe('Approved before; it had begun when the process ended.'),
  offersWorkspace: z.literal(true).exactOptional().describe('The preset workspace would allow calls of this kind.'),
  shown: shownCall,
  because: z.string(),
  requesters: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(roles) })),
  proposals: z
    .array(
      z
        .array(z.object({ text: z.string(), where: z.record(z.string(), z.string()).exactOptional(), script: z.string().exactOptional() }))
        .readonly(),
    )
    .describe('Scopes for chat and always, one list for each part of the call that nothing covers yet.'),
  keys: z.int(),
  keysGiven: z.array(z.string()),
  onceOnly: z.boolean(),
  irreversible: z.boolean(),
  isHidden: z.literal(true).exactOptional().describe('This reader may not decide it, so the call is left out.'),
  decision: z.enum(approvalDecisions).exactOptional(),
  note: z.string().exactOptional(),
}) satisfies z.ZodType<ApprovalView>

export const question = z.object({
  id: z.string(),
  dialog: z.string(),
  dialogTitle: z.string(),
  agent: z.string(),
  state: z.enum(['open', 'answered', 'declined', 'cancelled', 'expired']),
  ask,
  askedAt: when,
  expiresAt: when.nullable(),
  approval: approval.exactOptional().describe('Set when a tool call waits for this decision.'),
  audience: z.object({ kind: z.enum(['authors', 'everyone']), names: z.array(z.string()) }).exactOptional(),
  closed: z
    .object({
      at: when,
      by: z.string().nullable(),
      via: z.string().nullable(),
      answers: z.record(z.string(), z.string()).nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
}) satisfies z.ZodType<QuestionView>

export const statuses = [
  'ready',
  'working',
  'stopping',
  'waiting',
  'delegated',
  'stopped',
  'failed',
  'dead',
] as const satisfies readonly DialogStatus[]

const summary = z.object({
  id: z.string(),
  agent: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  openQuestions: z.int(),
  preview: z.string(),
  language: z.enum(['en', 'zh']),
  openedAt: when,
  updatedAt: when,
  origin: z
    .object({
      root: z.string(),
      parent: z.string(),
      mode: z.enum(['back', 'session', 'fresh', 'reasoning']),
      session: z.string().nullable(),
      depth: z.int().exactOptional(),
    })
    .nullable()
    .describe('Set for a side dialog: where it belongs and how it came to be.'),
  stop: z
    .object({ by: z.string(), at: when, in: z.string().nullable() })
    .exactOptional()
    .describe('Set while its work is stopped. Continue in the dialog `in` lifts it; null is the emergency stop.'),
  course: z.int(),
  pending: z
    .array(z.object({ tellask: z.string(), to: z.string(), agent: z.string(), session: z.string().nullable(), at: when }))
    .describe('Whom it waits for: requests that have no reply yet.'),
  spent: z.object({ tokens: z.number(), money: z.number() }),
}) satisfies z.ZodType<DialogSummary>

export const dialog = summary.extend({
  head: z.int().describe('Number of its last event.'),
  turns: z.int(),
  failure: error.extend({ at: when, retryAt: when.nullable() }).nullable(),
  questions: z.array(question),
  reminders: z.array(z.object({ id: z.string(), text: z.string() })),
  health: z.enum(['unknown', 'healthy', 'caution', 'critical']),
}) satisfies z.ZodType<Omit<DialogDetail, 'failure'>>

export const dialogs: z.ZodType<Page<DialogSummary>> = page(summary)

export const tree = z.object({ items: z.array(summary) })

export const counted = z.object({ count: z.int().describe('How many dialogs it concerned.') })

export const questions: z.ZodType<Page<QuestionView>> = page(question)

export const said = z.object({ dialog: z.string(), message: z.string(), seq: z.int() })

const emergency = z
  .object({ by: z.string(), at: when })
  .nullable()
  .describe('Set while the emergency stop holds: no turn starts until POST /v1/resume-all.')

export const inbox = z.object({
  items: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('question'), question }),
      z.object({ kind: z.literal('build'), build }),
      z.object({ kind: z.literal('pairing'), pairing }),
      z.object({ kind: z.literal('unclaimed'), unclaimed }),
      z.object({ kind: z.literal('delivery'), delivery }),
    ]),
  ),
  count: z.int(),
  emergency,
}) satisfies z.ZodType<WholeInbox>

const event = z.object({
  stream: z.string(),
  seq: z.int().describe('Place in its stream: 1, 2, 3 …'),
  position: z.int().describe('Place among all events.'),
  at: when,
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<EventView>

export const events: z.ZodType<Page<EventView>> = page(event)

export const token = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  scopes: z.array(z.enum(scopes)),
  limit: z
    .union([z.object({ dialog: z.string() }), z.object({ build: z.string() })])
    .nullable()
    .describe('All it may see and change.'),
  createdAt: when,
  revokedAt: when.nullable(),
  isLegacy: z.literal(true).exactOptional().describe('Made by Parley 0.1, where chat included what is send today.'),
}) satisfies z.ZodType<TokenView>

export const session = z.object({
  id: z.string(),
  name: z.string(),
  person: z.string().nullable().describe('Key under people in parley.yaml; null for the owner.'),
  createdAt: when,
  lastUsedAt: when.describe('To the hour.'),
  expiresAt: when,
  revokedAt: when.nullable(),
  browser: z.string(),
  current: z.boolean().describe('The one that asks.'),
  isLegacy: z.literal(true).exactOptional().describe('Signed in with Parley 0.1.'),
}) satisfies z.ZodType<SessionView>

export const sessions: z.ZodType<Page<SessionView>> = page(session)

export const tokens: z.ZodType<Page<TokenView>> = page(token)

export const newToken = z.object({ token: z.string(), view: token })

export const link = z.object({ url: z.string(), expiresAt: when })

export const info = z.object({
  version: z.string(),
  build: z.string(),
  agents: z.array(z.object({ name: z.string(), about: z.string(), default: z.boolean() })),
  demo: z.boolean(),
  problems: z.array(z.string()),
  emergency,
  caller: z
    .object({ id: z.string(), name: z.string(), role: z.enum(roles) })
    .exactOptional()
    .describe('The person or token that asks.'),
}) satisfies z.ZodType<ServerInfo>
