import { z } from 'zod'
import { roles } from '../../authority/roles.ts'
import { list, named, when } from './component.ts'

const section = {
  category: z.string().nullable().describe('Null: goals, constraints or progress.'),
  selector: z.string(),
}
const writer = z.object({ kind: z.enum(['human', 'agent']), name: z.string(), role: z.enum(roles) })
const by = writer.nullable().describe('Null: written outside of Parley, such as by an editor.')

export const taskdoc = named(
  'TaskDocument',
  z.object({
    path: z.string(),
    sections: z.array(
      z.object({
        ...section,
        text: z.string(),
        hash: z.string().describe('Given back with a change. `none`: there is no such section yet. Empty: too long to be shown.'),
        changed: z.object({ at: when, by }).nullable(),
      }),
    ),
    omitted: z.int().describe('Sections left out because the document is too long.'),
  }),
)

export const taskdocs = list('TaskDocumentList', named('TaskDocumentPath', z.object({ path: z.string() })))

export const createdTaskdoc = named(
  'CreatedTaskDocument',
  z.object({ path: z.string(), isNew: z.boolean().describe('False: it was there already, and nothing was changed.') }),
)

export const version = named(
  'TaskDocumentVersion',
  z.object({ ...section, version: z.string(), at: when, by, hash: z.string(), chars: z.int() }),
)

export const versions = list('TaskDocumentVersionList', version)

export const versionText = named('TaskDocumentVersionText', version.extend({ text: z.string() }))
