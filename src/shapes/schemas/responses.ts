import { catalogue, type ErrorCode } from '../../errors.ts'
import { languageCodes } from '../language.ts'
import { z } from 'zod'
import { type TokenScope, tokenScopes } from '../../authority/capabilities.ts'
import { approvalDecisions } from '../../authority/audience.ts'
import { roles } from '../../authority/roles.ts'
import { unsureWhys } from '../../authority/subjects/unsure.ts'
import { questionItem } from './question-items.ts'
import type { DialogStatus } from '../../dialogs/rules/dialog-state.ts'
import { list, named, page, when } from './component.ts'
import { build } from './build-responses.ts'
import { delivery, pairing, unclaimed } from './chat-responses.ts'
import { chatRequest, talkBounds } from './world-responses.ts'

/** Responses of the API. The types in `wire.ts` are inferred from these, and the OpenAPI document names them. */

export const error = named(
  'ErrorWords',
  z.object({ code: z.enum(Object.keys(catalogue) as ErrorCode[]), message: z.string(), hint: z.string() }),
)

/** Every refusal and failure. */
named('Error', z.object({ error }))

export const fine = named('Ok', z.object({ ok: z.boolean() }))

const ask = z.object({ text: z.string(), items: z.array(questionItem) })

export const shownCall = named(
  'ShownCall',
  z.object({
    kind: z.enum(['run', 'write', 'message', 'tool']),
    target: z.string(),
    server: z.string(),
    text: z.string().describe('All that runs: the command, the diff, the message, or sorted JSON.'),
    facts: z
      .array(
        z.object({
          label: z.string(),
          value: z.string(),
          name: z.string().exactOptional().describe('The label as a name, to be put into the words of the reader.'),
          says: z.string().exactOptional().describe('The same for the value.'),
          count: z.number().exactOptional().describe('The number in the value.'),
        }),
      )
      .readonly(),
    texts: z
      .array(z.object({ field: z.string(), text: z.string(), most: z.int() }))
      .readonly()
      .exactOptional()
      .describe('Words that leave: they may be changed with edits and the decision once.'),
    isCut: z.literal(true).exactOptional().describe('Too large to review: it can only be denied.'),
  }),
)

const facts = <Why extends string, Shape extends z.ZodRawShape>(why: Why, shape: Shape) => z.object({ why: z.literal(why), ...shape })
const because = z.discriminatedUnion('why', [
  z.object({ why: z.enum(['no-gate', 'invalid-input', 'default', 'no-subject']) }),
  facts('protected', { subject: z.string(), protection: z.enum(['hidden', 'fixed']) }),
  facts('rule', { rule: z.string(), note: z.string().nullable(), subject: z.string() }),
  facts('never', { subject: z.string() }),
  facts('unsure', { unsure: z.array(z.object({ why: z.enum(unsureWhys), detail: z.string().exactOptional() })).readonly() }),
  facts('grant', {
    by: z.string(),
    at: when,
    via: z.string(),
    lasts: z.enum(['chat', 'always']),
    scope: z.string(),
    until: when,
  }),
  facts('locked', { subject: z.string() }),
  facts('ask-by-default', { subjects: z.array(z.string()).readonly() }),
  facts('too-many-approvals', { limit: z.int() }),
])

export const approval = named(
  'Approval',
  z.object({
    tool: z.string(),
    turn: z.int().nullable().describe('Approvals of the same dialog and turn belong together.'),
    names: z.array(z.string()).describe('Those who could decide when it was asked.'),
    isChanged: z.literal(true).exactOptional().describe('Approved before; the tool or a file it depends on has changed since.'),
    isInterrupted: z.literal(true).exactOptional().describe('Approved before; it had begun when the process ended.'),
    offersWorkspace: z.literal(true).exactOptional().describe('The preset workspace would allow calls of this kind.'),
    shown: shownCall,
    because: z.string().describe('The reason in the language of the dialog.'),
    reason: because.exactOptional().describe('The same reason as facts, to be put into the words of the reader.'),
    requesters: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.enum(roles),
        via: z.string().exactOptional().describe('Where they wrote, if known.'),
      }),
    ),
    proposals: z
      .array(
        z
          .array(
            z.object({
              text: z.string(),
              where: z.record(z.string(), z.string()).exactOptional(),
              script: z.string().exactOptional(),
              modules: z.array(z.string()).readonly().exactOptional(),
              anyContent: z
                .literal(true)
                .exactOptional()
                .describe('It is bound to no file: it allows the command whatever the files it runs contain.'),
            }),
          )
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
    grants: z
      .array(
        z.object({
          id: z.string(),
          scope: z.string(),
          where: z.record(z.string(), z.string()).exactOptional(),
          dialog: z.string().nullable().describe('Null: all dialogs.'),
          until: when,
          isShortened: z.literal(true).exactOptional().describe('A later end was asked for; this is the longest a grant may last.'),
        }),
      )
      .exactOptional()
      .describe('In the response to a decision: the grants it made, with the end that counts.'),
    alsoAllowed: z.int().exactOptional().describe('In the response to a decision: other waiting calls that these grants allowed.'),
  }),
)

export const question = named(
  'Question',
  z.object({
    id: z.string(),
    dialog: z.string(),
    dialogTitle: z.string(),
    agent: z.string(),
    state: z.enum(['open', 'answered', 'declined', 'cancelled', 'expired']),
    ask,
    askedAt: when,
    expiresAt: when.nullable(),
    approval: approval.exactOptional().describe('Set when a tool call waits for this decision.'),
    limit: z
      .object({
        kind: z.enum(['budget', 'generations', 'requests']),
        key: z.string().exactOptional(),
        isNotice: z.literal(true).exactOptional(),
      })
      .exactOptional()
      .describe('Set when work waits at a limit, or a budget is nearly spent. `key` names the budget.'),
    isDialogClosed: z.literal(true).exactOptional().describe('This reader may decide or answer, but not read the dialog.'),
    audience: z.object({ kind: z.enum(['authors', 'everyone']), names: z.array(z.string()) }).exactOptional(),
    closed: z
      .object({
        at: when,
        by: z.string().nullable(),
        via: z.string().nullable(),
        answers: z.record(z.string(), z.string()).nullable(),
        reason: z.string().nullable().describe('Free text of the person or agent who declined or withdrew it.'),
        why: z
          .enum(['covered', 'stopped', 'dead', 'mind-cleared'])
          .exactOptional()
          .describe('Set when the runtime cancelled it; never taken from a text.'),
        undoUntil: when.exactOptional().describe('Until then the person who answered may withdraw the answer.'),
      })
      .nullable(),
  }),
)

export const statuses = [
  'ready',
  'working',
  'stopping',
  'waiting',
  'delegated',
  'stopped',
  'failed',
  'dead',
  'retired',
] as const satisfies readonly DialogStatus[]

export const summary = named(
  'DialogSummary',
  z.object({
    id: z.string(),
    agent: z.string(),
    title: z.string(),
    status: z.enum(statuses),
    openQuestions: z.int(),
    preview: z.string(),
    language: z.enum(languageCodes),
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
    isPinned: z.literal(true).exactOptional(),
    isArchived: z.literal(true).exactOptional(),
  }),
)

export const dialog = named(
  'Dialog',
  summary.extend({
    head: z.int().describe('Number of its last event.'),
    turns: z.int(),
    failure: error.extend({ at: when, retryAt: when.nullable() }).nullable(),
    questions: z.array(question),
    reminders: z.array(z.object({ id: z.string(), text: z.string() })),
    taskdoc: z.string().exactOptional().describe('Path of its task document.'),
    model: z.string().exactOptional().describe('Chosen by a person. Absent: the usual model of the agent.'),
    health: z.enum(['unknown', 'healthy', 'caution', 'critical']),
    usage: z
      .object({ input: z.int(), cachedRead: z.int(), cacheWrite: z.int(), output: z.int(), reasoning: z.int() })
      .describe('Tokens of finished generations as the provider counted them; none is in two kinds.'),
    pushes: z
      .object({ left: z.int(), most: z.int(), isOn: z.boolean() })
      .exactOptional()
      .describe('How often Parley still tells an agent that stops to look once more. Absent where it never does.'),
  }),
)

export const dialogs = page('DialogPage', summary)

export const tree = list('DialogTree', summary)

export const counted = named('Count', z.object({ count: z.int().describe('How many dialogs it concerned.') }))

export const questions = page('QuestionPage', question)

export const messageFile = named(
  'MessageFile',
  z.object({
    file: z.string(),
    name: z.string(),
    mediaType: z.string().describe('Found by looking at the bytes.'),
    bytes: z.int(),
    sha256: z.string(),
    width: z.int().exactOptional(),
    height: z.int().exactOptional(),
    text: z.string().exactOptional().describe('The text in it, as agents read it: of text files, HTML, PDF and DOCX.'),
  }),
)

export const said = named('SaidMessage', z.object({ dialog: z.string(), message: z.string(), seq: z.int() }))

const emergency = z
  .object({ by: z.string(), at: when })
  .nullable()
  .describe('Set while the emergency stop holds: no turn starts until POST /v1/resume-all.')

export const failure = named(
  'Failure',
  z.object({
    dialog: z.string(),
    root: z.string(),
    agent: z.string(),
    title: z.string(),
    error,
    at: when,
    isSide: z.boolean(),
    canRetry: z.boolean().describe('POST /v1/dialogs/{id}/continue tries again. False once the agent that asked has its reply.'),
    isTold: z.boolean().describe('The agent that asked has a failed reply.'),
    replyDueAt: when.nullable().describe('When the agent that asked gets a failed reply, unless a person acts before.'),
  }),
)

export const inbox = named(
  'Inbox',
  z.object({
    items: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('question'), question }),
        z.object({ kind: z.literal('failure'), failure }),
        z.object({ kind: z.literal('build'), build }),
        z.object({
          kind: z.literal('chat-request'),
          account: z.string().describe('The own agent it is for.'),
          request: chatRequest,
          bounds: talkBounds,
        }),
        z.object({ kind: z.literal('pairing'), pairing }),
        z.object({ kind: z.literal('unclaimed'), unclaimed }),
        z.object({ kind: z.literal('delivery'), delivery }),
      ]),
    ),
    count: z.int(),
    emergency,
  }),
)

export const event = named(
  'Event',
  z.object({
    stream: z.string(),
    seq: z.int().describe('Place in its stream: 1, 2, 3 …'),
    position: z.int().describe('Place among all events.'),
    at: when,
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
)

export const events = page('EventPage', event)

export const searchHit = named(
  'SearchHit',
  z.object({
    dialog: z.string(),
    root: z.string().describe('The dialog itself, or the chat that it is a side dialog of.'),
    title: z.string(),
    agent: z.string(),
    kind: z.enum(['message', 'question', 'answer', 'request', 'title']).describe('request: of one agent to another.'),
    item: z.string().nullable().describe('What the page shows it in, for the link /c/{dialog}#{item}; null for the dialog itself.'),
    seq: z.int().describe('Number of its event in the dialog.'),
    at: when,
    by: z.object({ kind: z.enum(['human', 'agent']), name: z.string() }),
    excerpt: z.object({
      text: z.string(),
      marks: z.array(z.tuple([z.int(), z.int()])).describe('Begin and end of each word that was found, as places in the text.'),
    }),
  }),
)

export const searchPage = named(
  'SearchPage',
  z.object({
    items: z.array(searchHit),
    next: z.string().nullable().describe('Pass it back as `after`; null at the end. A page may be short although more follow.'),
    indexing: z
      .object({ done: z.int(), of: z.int() })
      .nullable()
      .describe('Set while older events are still being made searchable: how far that is.'),
  }),
)

export const token = named(
  'Token',
  z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles),
    scopes: z.array(z.enum(Object.keys(tokenScopes) as TokenScope[])),
    limit: z
      .union([z.object({ dialog: z.string() }), z.object({ build: z.string() })])
      .nullable()
      .describe('All it may see and change.'),
    createdAt: when,
    revokedAt: when.nullable(),
    isLegacy: z.literal(true).exactOptional().describe('Made by Parley 0.1, where chat included what is send today.'),
  }),
)

export const session = named(
  'Session',
  z.object({
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
  }),
)

export const sessions = page('SessionPage', session)

export const tokens = page('TokenPage', token)

export const newToken = named('NewToken', z.object({ token: z.string(), view: token }))

export const link = named('SignInLink', z.object({ url: z.string(), expiresAt: when }))

export const info = named(
  'ServerInfo',
  z.object({
    version: z.string(),
    build: z.string(),
    agents: z.array(
      z.object({
        name: z.string(),
        about: z.string(),
        default: z.boolean(),
        models: z.array(z.string()).exactOptional().describe('Models that people may choose, the usual one first.'),
      }),
    ),
    demo: z.boolean(),
    problems: z.array(z.string()),
    emergency,
    caller: z
      .object({ id: z.string(), name: z.string(), role: z.enum(roles) })
      .exactOptional()
      .describe('The person or token that asks.'),
  }),
)
