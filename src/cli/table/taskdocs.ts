import type { CommandRow } from '../command-row.ts'

const dialog = { name: 'dialog', about: 'id of a dialog that has one ("last" is the newest)' }
const section = { name: 'section', about: 'goals, constraints, progress, or category/name such as bearinmind/risks' }

/** Task documents: what a dialog keeps in mind, written by agents and people. */
export const taskdocRows: readonly CommandRow[] = [
  {
    path: 'taskdocs list',
    needs: 'read.all',
    summary: 'list the task documents of the project',
    examples: ['parley taskdocs list', 'parley taskdocs list --json'],
    load: () => import('../commands/taskdocs-list.ts'),
  },
  {
    path: 'taskdocs create',
    needs: 'write.all',
    summary: 'make an empty task document',
    arguments: [{ name: 'path', about: 'below the project, such as plans/garden.tsk' }],
    examples: ['parley taskdocs create plan.tsk', 'parley taskdocs create plans/garden.tsk --json'],
    load: () => import('../commands/taskdocs-create.ts'),
  },
  {
    path: 'taskdocs show',
    needs: 'read.own',
    summary: 'print the task document of a dialog, with who changed each section last',
    arguments: [dialog, { ...section, optional: true }],
    examples: ['parley taskdocs show last', 'parley taskdocs show last goals --json'],
    load: () => import('../commands/taskdocs-show.ts'),
  },
  {
    path: 'taskdocs change',
    needs: 'write.own',
    summary: 'replace one section of the task document of a dialog',
    detail: 'Agents read it from their next reply on. The text counts with your role.',
    arguments: [dialog, section, { name: 'text', about: 'all of its new text; - reads it from stdin' }],
    flags: [{ flags: '--hash <hash>', about: 'refuse if the section is not the one with this hash (that of now)' }],
    examples: ['parley taskdocs change last goals "A garden plan for spring"', 'parley taskdocs change last bearinmind/risks - < risks.md'],
    load: () => import('../commands/taskdocs-change.ts'),
  },
  {
    path: 'taskdocs history',
    needs: 'read.own',
    summary: 'list earlier versions of a task document, or print one',
    arguments: [dialog, { name: 'version', about: 'print the text of this version; its beginning is enough', optional: true }],
    examples: ['parley taskdocs history last', 'parley taskdocs history last 4f2a'],
    load: () => import('../commands/taskdocs-history.ts'),
  },
]
