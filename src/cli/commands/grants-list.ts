import type { CommandFunction } from '../command-row.ts'
import { becauseText } from '../../authority/because-text.ts'
import { withVisibleCharacters } from '../../authority/visible-text.ts'
import type { GrantView } from '../../shapes/wire.ts'
import { whereText } from '../approval-words.ts'
import { withServer } from '../connect.ts'
import { oneLine } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const agent = given.text('agent')
  const all = await withServer(terminal, ({ client }) => client.grants.list(agent === undefined ? {} : { agent }))
  const now = Date.now()
  const grants = given.on('all') ? all : all.filter(({ end, until }) => end === null && until > now)
  terminal.result(grants, () => grants.flatMap((grant) => grantLines(grant, terminal, now)))
  if (grants.length === 0 && !terminal.json) terminal.say(terminal.words.approvals.noGrants)
}

/** Lines of one grant: scope, people, and the reason shown on cards and in the log. */
export function grantLines(grant: GrantView, { words, paint, language }: Terminal, now: number): string[] {
  const { approvals } = words
  const state =
    grant.end !== null ? [paint.red(approvals.ended(oneLine(grant.end.why)))] : grant.until <= now ? [paint.red(approvals.expired)] : []
  const facts = [
    oneLine(grant.agent),
    withVisibleCharacters(grant.scope),
    ...(grant.where ? [withVisibleCharacters(whereText(grant.where))] : []),
    ...(grant.anyContent ? [approvals.anyContent] : []),
    grant.author !== null
      ? approvals.forAuthor(oneLine(grant.author))
      : grant.role === 'owner'
        ? approvals.forOwner
        : approvals.forRole(approvals.shared.roles[grant.role]),
    grant.dialog ?? approvals.allDialogs,
    ...state,
  ]
  const because = becauseText(
    {
      why: 'grant',
      by: grant.by.name === 'owner' ? words.theOwner : grant.by.name,
      at: grant.madeAt,
      via: grant.via ?? '',
      lasts: grant.dialog === null ? 'always' : 'chat',
      scope: grant.scope,
      until: grant.until,
    },
    language,
    Intl.DateTimeFormat().resolvedOptions().timeZone,
  )
  return [`${paint.bold(grant.id)}  ${facts.join(' · ')}`, `  ${paint.dim(oneLine(because))}`]
}
