import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'
import { questionLimits } from '../../dialogs/rules/question.ts'
import { dialogLimits } from '../../dialogs/rules/dialog-state.ts'
import { messageLimits } from '../../chats/message/message-limits.ts'
import { fileLimits } from '../../dialogs/rules/message-file.ts'
import * as responses from '../../shapes/schemas/responses.ts'
import { byId, nothing, route } from './route.ts'
import { id, line, pageQuery, text } from '../text.ts'
import { textStream } from '../text-stream.ts'
import { exportDialog, exportFormats } from '../../client/export-dialog.ts'

const files = z
  .array(id)
  .max(fileLimits.filesPerMessage)
  .optional()
  .describe('Ids of files from POST /v1/files, in the order in which they are shown.')

const exportPage = 200

const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

const ofRoot = z.strictObject({ root: id.optional() })

export const dialogRoutes = () => [
  route({
    operation: 'dialogs.open',
    summary: 'Open a dialog, optionally with a first message',
    body: z.strictObject({
      agent: line(64).optional(),
      title: line(dialogLimits.titleChars).optional(),
      text: text(dialogLimits.textChars).optional(),
      language: z.enum(languageCodes).optional(),
      model: line(64).optional().describe('One of `models` of the agent; its usual one unless set.'),
      taskdoc: line(500).optional().describe('Path of a task document (*.tsk) below the project.'),
      files,
    }),
    status: 201,
    response: responses.dialog,
    handle: ({ body, caller, parley }) => parley.dialogs.open(body, caller),
  }),
  route({
    operation: 'dialogs.branch',
    summary: 'Open a chat that begins with what was said in this one, up to a message. Tool calls are not repeated',
    params: byId,
    body: z.strictObject({
      message: text(200).describe(
        'Id of a message. Of a person: it is sent again, with `text` if given. Of an agent: the branch ends with it.',
      ),
      text: text(dialogLimits.textChars).optional(),
      files,
      again: z.boolean().optional().describe('For a message of an agent: the message of a person before it is sent again.'),
    }),
    status: 201,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) => parley.dialogs.branch(params.id, body, caller),
  }),
  route({
    operation: 'dialogs.list',
    summary: 'Dialogs: the pinned ones, then the others, the latest first',
    query: z.strictObject({
      ...pageQuery,
      search: line(200).optional(),
      status: z.enum(responses.statuses).optional(),
      pinned: flag.describe('true: pinned dialogs alone. false: all others.'),
      archived: flag.describe('true: archived dialogs alone. They are left out otherwise.'),
      of: z.enum(['people', 'builds']).optional().describe('people: those people talk in · builds: those in which agents work on builds.'),
    }),
    status: 200,
    response: responses.dialogs,
    handle: ({ query, parley }) => parley.dialogs.list(query),
  }),
  route({
    operation: 'dialogs.get',
    summary: 'One dialog',
    params: byId,
    status: 200,
    response: responses.dialog,
    handle: ({ params, parley }) => parley.dialogs.get(params.id),
  }),
  route({
    operation: 'dialogs.title',
    summary: 'Change its title',
    params: byId,
    body: z.strictObject({ title: line(dialogLimits.titleChars) }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) =>
      parley.dialogs.apply(params.id, { type: 'title-dialog', title: body.title, by: 'human' }, caller),
  }),
  route({
    operation: 'dialogs.pin',
    summary: 'Pin it, so that it stands first in lists, or unpin it',
    params: byId,
    body: z.strictObject({ isPinned: z.boolean().default(true) }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) =>
      parley.dialogs.apply(params.id, { type: 'pin-dialog', isPinned: body.isPinned, by: caller.by, via: caller.via }, caller),
  }),
  route({
    operation: 'dialogs.archive',
    summary: 'Archive it, so that lists leave it out, or take it out of the archive. A message of a person takes it out too',
    params: byId,
    body: z.strictObject({ isArchived: z.boolean().default(true) }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) =>
      parley.dialogs.apply(params.id, { type: 'archive-dialog', isArchived: body.isArchived, by: caller.by, via: caller.via }, caller),
  }),
  route({
    operation: 'dialogs.export',
    summary: 'The dialog with the side dialogs below it, as a file: every event as a line of JSON, or a transcript in Markdown',
    params: byId,
    query: z.strictObject({ format: z.enum(exportFormats).default('jsonl') }),
    status: 200,
    async handle({ params, query, parley }) {
      const detail = await parley.dialogs.get(params.id)
      const headers = {
        'content-type': query.format === 'jsonl' ? 'application/jsonl; charset=utf-8' : 'text/markdown; charset=utf-8',
        'content-disposition': `attachment; filename="${params.id}.${query.format === 'jsonl' ? 'jsonl' : 'md'}"`,
        'content-security-policy': "default-src 'none'; sandbox",
      }
      const reader = {
        tree: (dialog: string) => parley.dialogs.tree(dialog),
        events: (stream: string, after: number) => parley.events.read({ stream, after, limit: exportPage }),
      }
      return { raw: new Response(textStream(exportDialog(reader, detail, query.format)), { headers }) }
    },
  }),
  route({
    operation: 'dialogs.say',
    summary: 'Send a message. It is stored before the response; the reply comes as events',
    params: byId,
    body: z.strictObject({ text: text(dialogLimits.textChars).optional().describe('Needed unless there are files.'), files }),
    status: 201,
    response: responses.said,
    handle: ({ params, body, caller, parley }) => parley.dialogs.say(params.id, body.text ?? '', caller, body.files),
  }),
  route({
    operation: 'dialogs.tap',
    summary: 'Tap a button or option of a message the agent showed. The first tap counts; its label is said in the dialog',
    params: byId,
    body: z.strictObject({
      message: text(200).describe('Id of the message.'),
      value: text(messageLimits.valueChars).describe('The value of the button or option; of a command, the command.'),
    }),
    status: 201,
    response: responses.said,
    handle: ({ params, body, caller, parley }) => parley.dialogs.tap(params.id, body, caller),
  }),
  route({
    operation: 'dialogs.stop',
    summary: 'Stop the dialog and everything below it, until it is continued',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.dialog,
    handle: ({ params, caller, parley }) => parley.dialogs.stop(params.id, caller),
  }),
  route({
    operation: 'dialogs.continue',
    summary: 'Continue after a failure, or lift the stop here and everywhere below',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.dialog,
    handle: ({ params, caller, parley }) => parley.dialogs.resume(params.id, caller),
  }),
  route({
    operation: 'dialogs.freshStart',
    summary: 'Let the agent begin a new course: its request, reminders and open questions stay, older messages leave its sight',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.dialog,
    handle: ({ params, caller, parley }) => parley.dialogs.freshStart(params.id, caller),
  }),
  route({
    operation: 'dialogs.chooseModel',
    summary: 'Choose one of the models of its agent, from the next turn on; null chooses the usual one',
    params: byId,
    body: z.strictObject({ model: line(64).nullable() }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) => parley.dialogs.chooseModel(params.id, body.model, caller),
  }),
  route({
    operation: 'dialogs.changePushes',
    summary: 'Turn its pushes on or off, or refill them; a dialog at rest gets the first new one at once',
    params: byId,
    body: z.strictObject({ change: z.enum(['on', 'off', 'refill']) }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) =>
      parley.dialogs.apply(params.id, { type: 'change-pushes', change: body.change, by: caller.by, via: caller.via }, caller),
  }),
  route({
    operation: 'dialogs.tree',
    summary: 'The root it belongs to and every side dialog below that, oldest first',
    params: byId,
    status: 200,
    response: responses.tree,
    handle: async ({ params, parley }) => ({ items: await parley.dialogs.tree(params.id) }),
  }),
  route({
    operation: 'dialogs.delete',
    summary: 'Delete a chat with every dialog below it, its rows and its files, for good. What it has cost stays in the budgets',
    params: byId,
    status: 200,
    response: responses.counted,
    handle: ({ params, caller, parley }) => parley.dialogs.delete(params.id, caller),
  }),
  route({
    operation: 'dialogs.giveUp',
    formerPath: '/v1/dialogs/{id}/dead',
    summary: 'Give up a failed dialog, or a side dialog and everything below it permanently. Waiting callers receive a failed reply',
    params: byId,
    body: z.strictObject({ note: text(questionLimits.text).optional() }),
    status: 200,
    response: responses.dialog,
    handle: ({ params, body, caller, parley }) => parley.dialogs.declareDead(params.id, body.note, caller),
  }),
  route({
    operation: 'dialogs.stopAll',
    summary: 'Emergency stop: no turn starts until /v1/resume-all. With a root, stop its tree alone',
    body: ofRoot,
    status: 200,
    response: responses.counted,
    handle: ({ body, caller, parley }) => parley.dialogs.stopAll(caller, body.root),
  }),
  route({
    operation: 'dialogs.resumeAll',
    summary: 'Lift the emergency stop and all other stops, and continue failed dialogs. With a root, in its tree alone',
    body: ofRoot,
    status: 200,
    response: responses.counted,
    handle: ({ body, caller, parley }) => parley.dialogs.resumeAll(caller, body.root),
  }),
]
