import { errorMessage, ParleyError } from '../../errors.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { SectionName, TaskDocuments } from '../../ports/task-documents.ts'
import type { Caller, Parley } from '../../shapes/parley.ts'
import { eventAuthor } from '../rules/event-author.ts'
import type { NoteCommand } from '../rules/decide-talk.ts'

type Parts = {
  team: Pick<Team, 'taskdocs'>
  /** Null where the dialog has none. */
  findTaskdoc(dialog: string): Promise<string | null>
  isRepeated(caller: Caller): Promise<boolean>
  note(dialog: string, command: NoteCommand, caller: Caller): Promise<unknown>
}

/** Task documents as people read and change them. Agents have tools of their own, over the same documents. */
export function taskdocNouns({ team, findTaskdoc, isRepeated, note }: Parts): Parley['taskdocs'] {
  const documents = (taskdoc: string): TaskDocuments => {
    if (team.taskdocs) return team.taskdocs
    throw new ParleyError('bad_taskdoc', { taskdoc, why: 'this server has no project folder' })
  }
  async function findDocument(dialog: string): Promise<{ path: string; all: TaskDocuments }> {
    const path = await findTaskdoc(dialog)
    if (path === null) throw new ParleyError('no_taskdoc')
    const all = documents(path)
    const fault = all.findFault(path)
    if (fault !== null) throw new ParleyError('bad_taskdoc', { taskdoc: path, why: fault })
    return { path, all }
  }
  const show = ({ path, all }: { path: string; all: TaskDocuments }) =>
    inWords({ code: 'bad_taskdoc', details: { taskdoc: path } }, () => {
      const { sections, omitted } = all.show(path)
      return { path, sections: [...sections], omitted }
    })

  return {
    list: async () => (team.taskdocs?.list() ?? []).map((path) => ({ path })),
    async create(path) {
      const isNew = inWords({ code: 'bad_taskdoc', details: { taskdoc: path } }, () => documents(path).create(path))
      return { path, isNew }
    },
    get: async (dialog) => show(await findDocument(dialog)),
    async change(dialog, { category = null, selector, content, knownHash }, caller) {
      const found = await findDocument(dialog)
      const section = { category: category === '' ? null : category, selector }
      const { by, via } = caller
      const author = eventAuthor(by, via)
      // Of a repeated request the first result counts, also where the section has changed again since.
      if (!(await isRepeated(caller))) {
        const cause = { by: [author], role: author.role, origin: 'message' } as const
        const change = { section, content, knownHash, cause, by: { kind: 'human', name: author.name } } as const
        const details = { section: sectionPath(section) }
        const changed = inWords({ code: 'bad_section', details }, () => found.all.change(found.path, change))
        if ('stale' in changed) throw new ParleyError('section_changed', details)
        if (changed.isNew) await note(dialog, { type: 'note-taskdoc', section: sectionPath(section), by, via }, caller)
      }
      return show(found)
    },
    async versions(dialog, section) {
      const { path, all } = await findDocument(dialog)
      return inWords({ code: 'bad_taskdoc', details: { taskdoc: path } }, () => [...all.versions(path, section)])
    },
    async version(dialog, version) {
      const { path, all } = await findDocument(dialog)
      const found = all.versions(path).find((one) => one.version === version)
      const text = found ? all.readVersion(path, version) : null
      if (!found || text === null) throw new ParleyError('taskdoc_version_not_found', { version })
      return { ...found, text }
    },
  }
}

/** Documents say in words what is wrong; people get it with a code. */
function inWords<Value>(
  fault: { code: 'bad_taskdoc' | 'bad_section'; details: Readonly<Record<string, string>> },
  work: () => Value,
): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof ParleyError) throw error
    throw new ParleyError(fault.code, { ...fault.details, why: errorMessage(error).replace(/\.$/, '') }, { cause: error })
  }
}

const sectionPath = ({ category, selector }: SectionName): string => (category === null ? selector : `${category}/${selector}`)
