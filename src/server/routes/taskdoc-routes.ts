import { z } from 'zod'
import * as responses from '../../shapes/schemas/taskdoc-responses.ts'
import { id, line, text } from '../text.ts'
import { byId, route } from './route.ts'

export const taskdocRouteLimits = { pathChars: 500, nameChars: 64, contentChars: 100_000 } as const

const name = line(taskdocRouteLimits.nameChars)
const category = name.nullable().optional().describe('Left out for goals, constraints and progress.')

/** Documents that dialogs share, as people read and change them. */
export const taskdocRoutes = () => [
  route({
    operation: 'taskdocs.list',
    summary: 'Task documents below the project',
    status: 200,
    response: responses.taskdocs,
    handle: async ({ parley }) => ({ items: await parley.taskdocs.list() }),
  }),
  route({
    operation: 'taskdocs.create',
    summary: 'Make an empty task document. One that is there already stays as it is',
    body: z.strictObject({ path: line(taskdocRouteLimits.pathChars).describe('Below the project; it ends with .tsk.') }),
    status: 201,
    response: responses.createdTaskdoc,
    handle: ({ body, caller, parley }) => parley.taskdocs.create(body.path, caller),
  }),
  route({
    operation: 'taskdocs.get',
    summary: 'The task document of a dialog, with who changed each section last',
    params: byId,
    status: 200,
    response: responses.taskdoc,
    handle: ({ params, parley }) => parley.taskdocs.get(params.id),
  }),
  route({
    operation: 'taskdocs.change',
    summary: 'Replace one section. Refused when the section has changed since it was read',
    params: byId,
    body: z.strictObject({
      category,
      selector: name,
      content: text(taskdocRouteLimits.contentChars),
      knownHash: line(taskdocRouteLimits.nameChars).describe('The hash that was read with the section; `none` for a new one.'),
    }),
    status: 200,
    response: responses.taskdoc,
    handle: ({ params, body, caller, parley }) => parley.taskdocs.change(params.id, body, caller),
  }),
  route({
    operation: 'taskdocs.versions',
    summary: 'Kept versions of its sections, the latest first',
    params: byId,
    query: z.strictObject({ category: name.optional(), selector: name.optional().describe('Versions of this section alone.') }),
    status: 200,
    response: responses.versions,
    handle: async ({ params, query: { category: folder, selector }, parley }) => ({
      items: await parley.taskdocs.versions(params.id, selector === undefined ? undefined : { category: folder ?? null, selector }),
    }),
  }),
  route({
    operation: 'taskdocs.version',
    summary: 'One kept version with its text',
    params: z.strictObject({ id, version: id }),
    status: 200,
    response: responses.versionText,
    handle: ({ params, parley }) => parley.taskdocs.version(params.id, params.version),
  }),
]
