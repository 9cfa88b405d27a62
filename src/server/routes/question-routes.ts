import { z } from 'zod'
import { can } from '../auth/principal.ts'
import { approvalDecisions } from '../../authority/audience.ts'
import { scopeLimits } from '../../authority/scope.ts'
import { approvalLimits } from '../../dialogs/rules/approval.ts'
import { dialogLimits } from '../../dialogs/rules/dialog-state.ts'
import { questionLimits } from '../../dialogs/rules/question.ts'
import type { Messaging } from '../../shapes/messaging.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { byId, nothing, route } from './route.ts'
import { line, pageQuery, text } from '../text.ts'
import { wholeInbox } from './whole-inbox.ts'

const because = z.strictObject({ reason: text(questionLimits.text).optional() })

/** The fields of a standing permission, given with the decision. */
const standing = {
  scope: text(scopeLimits.chars).optional().describe('With chat and always: instead of the proposed one, such as run(git log *).'),
  where: z.record(line(scopeLimits.whereChars), line(scopeLimits.whereChars)).optional(),
  until: z.int().min(0).optional().describe('With chat and always: an earlier end, in milliseconds since 1970.'),
  isConfirmed: z.boolean().optional().describe('The scope covers everything of its kind, and the person confirmed that.'),
}
const edits = z
  .record(line(scopeLimits.whereChars), z.string().max(approvalLimits.editChars))
  .optional()
  .describe('With once: other words for fields in shown.texts of the approval. The call runs with them.')
const denyNote = text(approvalLimits.noteChars).optional().describe('With deny: the agent reads it.')

type Decision = { decision?: string | undefined; scope?: unknown; where?: unknown; until?: unknown }

/** Refuses parts of a standing permission that the decision does not make. */
const withStandingRules = <Schema extends z.ZodType<Decision>>(schema: Schema): Schema =>
  schema
    .refine(({ scope, where }) => scope !== undefined || where === undefined, 'where needs a scope')
    .refine(
      ({ decision, scope, until }) => decision === 'chat' || decision === 'always' || (scope === undefined && until === undefined),
      'scope and until need the decision chat or always',
    )

/** Questions to people, and the inbox of everything that waits for one. */
export const questionRoutes = (messaging: Messaging | undefined, worlds: Worlds | undefined) => [
  route({
    operation: 'questions.list',
    summary: 'Questions to people',
    query: z.strictObject({ ...pageQuery, state: z.enum(['open', 'answered', 'declined', 'cancelled', 'expired']).optional() }),
    status: 200,
    response: responses.questions,
    handle: ({ query, parley }) => parley.questions.list(query),
  }),
  route({
    operation: 'questions.get',
    summary: 'One question',
    params: byId,
    status: 200,
    response: responses.question,
    handle: ({ params, parley }) => parley.questions.get(params.id),
  }),
  route({
    operation: 'questions.answer',
    summary: 'Answer it, or decide an approval. The first answer counts',
    params: byId,
    body: withStandingRules(
      z
        .strictObject({
          choice: text(questionLimits.value).optional(),
          text: text(questionLimits.answer).optional(),
          answers: z.record(text(questionLimits.value), text(questionLimits.answer)).optional(),
          decision: z.enum(approvalDecisions).optional().describe('For an approval.'),
          ...standing,
          note: denyNote,
          edits,
          undoSeconds: z
            .int()
            .min(1)
            .max(dialogLimits.undoMs / 1_000)
            .optional()
            .describe('The agent waits so long, and the answer can be withdrawn. Not for approvals; answers to limits count at once.'),
        })
        .refine(({ decision, undoSeconds }) => decision === undefined || undoSeconds === undefined, 'a decision cannot be undone')
        .refine(
          ({ choice, text: typed, answers: all, decision }) =>
            [choice, typed, all, decision].filter((one) => one !== undefined).length === 1,
          'give one of choice, text, answers or decision',
        )
        .refine(
          ({ decision, scope, where, until, note, isConfirmed, edits: changed }) =>
            decision !== undefined || [scope, where, until, note, isConfirmed, changed].every((one) => one === undefined),
          'scope, where, until, note, edits and isConfirmed need a decision',
        ),
    ),
    status: 200,
    response: responses.question,
    handle: ({ params, body, caller, parley }) => parley.questions.answer(params.id, body, caller),
  }),
  route({
    operation: 'questions.withdrawAnswer',
    summary: 'Withdraw an answer that was given with undoSeconds, within that time',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.question,
    handle: ({ params, caller, parley }) => parley.questions.withdrawAnswer(params.id, caller),
  }),
  route({
    operation: 'questions.approve',
    summary: 'Allow the call that waits for this approval: once, in this dialog (chat) or everywhere (always)',
    params: byId,
    body: withStandingRules(z.strictObject({ decision: z.enum(['once', 'chat', 'always']).default('once'), ...standing, edits })),
    status: 200,
    response: responses.question,
    handle: ({ params, body, caller, parley }) => parley.questions.answer(params.id, body, caller),
  }),
  route({
    operation: 'questions.deny',
    summary: 'Refuse the call that waits for this approval',
    params: byId,
    body: z.strictObject({ note: denyNote }),
    status: 200,
    response: responses.question,
    handle: ({ params, body, caller, parley }) => parley.questions.answer(params.id, { decision: 'deny', ...body }, caller),
  }),
  route({
    operation: 'questions.decline',
    summary: 'Decline to answer',
    params: byId,
    body: because,
    status: 200,
    response: responses.question,
    handle: ({ params, body, caller, parley }) => parley.questions.decline(params.id, body.reason, caller),
  }),
  route({
    operation: 'questions.withdraw',
    formerPath: '/v1/questions/{id}/cancel',
    summary: 'Withdraw it',
    params: byId,
    body: because,
    status: 200,
    response: responses.question,
    handle: ({ params, body, caller, parley }) => parley.questions.cancel(params.id, body.reason, caller),
  }),
  route({
    operation: 'inbox.list',
    summary: 'Everything that waits for a person',
    status: 200,
    response: responses.inbox,
    handle: ({ parley, principal, hidden }) =>
      wholeInbox(
        parley,
        can(principal, 'read.all') && !principal.limit ? messaging : undefined,
        hidden,
        can(principal, 'worlds') && !principal.limit ? worlds : undefined,
      ),
  }),
]
