import { languages } from '../../../src/shapes/language.ts'
import { type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import type { GrantView, Language } from '../../../src/shapes/wire.ts'
import { surfaceName } from '../../../src/authority/surface-name.ts'
import { personName } from '../approvals/approval-texts.ts'
import { withVisibleCharacters } from '../approvals/visible-characters.ts'
import { handleName } from '../chat/author.ts'
import { LanguageContext } from '../words/use-words.ts'
import { endedAt } from './grant-state.ts'
import list from '../parts/list-page.module.css'
import styles from './grants-page.module.css'
import { type ApprovalWords, useApprovalWords } from '../approvals/approval-words.ts'

/** `onRevoke` is null for one that has ended. */
export function GrantRow({ grant, onRevoke }: { grant: GrantView; onRevoke: (() => void) | null }): ReactNode {
  const own = useApprovalWords()
  const language = useContext(LanguageContext)
  const scope = withVisibleCharacters(grant.scope)
  const where = Object.entries(grant.where ?? {})
  const scripts = Object.keys(grant.scripts)
  return (
    <li className={`${list['row']} ${styles['row']}`} data-grant={grant.id}>
      <div className={styles['what']}>
        <p className={styles['scope']}>
          <code dir="ltr">{scope}</code>
        </p>
        {where.length > 0 && (
          <p>
            {own.grants.where}{' '}
            {where.map(([field, value], index) => (
              <span key={field}>
                {index > 0 && ', '}
                <code dir="ltr">
                  {withVisibleCharacters(field)} = {withVisibleCharacters(value)}
                </code>
              </span>
            ))}
          </p>
        )}
        <p className={list['soft']}>
          <bdi>{handleName(grant.agent)}</bdi> · <bdi>{grant.tool}</bdi> ·{' '}
          {grant.dialog === null ? (
            own.grants.allChats
          ) : (
            <>
              {own.grants.oneChat} <Link href={`/c/${grant.dialog}`}>{own.grants.thisChat}</Link>
            </>
          )}
          {' · '}
          {servedRequests(grant, own)}
        </p>
        {scripts.length > 0 && (
          <p className={list['soft']}>
            {own.grants.script} <code dir="ltr">{scripts.map(withVisibleCharacters).join(', ')}</code>
          </p>
        )}
        {grant.anyContent && <p className={list['soft']}>{own.grants.anyContent}</p>}
        <p className={list['soft']} dir="auto">
          {explanation(grant, own, language)}
        </p>
        {onRevoke === null && <p className={list['soft']}>{endText(grant, own, language)}</p>}
      </div>
      {onRevoke !== null && (
        <button type="button" className="button" aria-label={own.grants.revokeOf(scope)} onClick={onRevoke}>
          {own.grants.revoke}
        </button>
      )}
    </li>
  )
}

function servedRequests({ author, role }: GrantView, own: ApprovalWords): string {
  if (author !== null) return own.grants.forAuthor(author)
  return role === 'owner' ? own.grants.forOwner : own.grants.forRole(own.roles[role])
}

const day = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(languages[language].locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)

/** "Allowed by Mia on 14 Nov 2026 (Telegram): always run(npm test *), until 12 Feb 2027". */
function explanation({ by, madeAt, via, dialog, scope, until }: GrantView, own: ApprovalWords, language: Language): string {
  const say = dialog === null ? own.grants.always : own.grants.chat
  const surface = surfaceName(via ?? 'api', own.surfaces)
  return say(personName(by.name, own), day(madeAt, language), surface, withVisibleCharacters(scope), day(until, language))
}

function endText(grant: GrantView, own: ApprovalWords, language: Language): string {
  const why = grant.end?.why ?? 'expired'
  const { ends } = own.grants
  const text = why === 'revoked' || why === 'changed' || why === 'dialog-ended' ? ends[why] : ends.expired
  return text(personName(grant.end?.by ?? '', own), day(endedAt(grant), language))
}
