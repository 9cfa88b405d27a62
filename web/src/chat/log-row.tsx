import { noteText } from '../../../src/words/note-text.ts'
import { lazy, memo, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import type { DialogItem } from '../../../src/client/index.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { Person, Tile } from '../look/tile.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import { getCloser, toAuthor } from './author.ts'
import { LetterRow } from './letter-row.tsx'
import styles from './log-row.module.css'
import { MessageActions } from './message-actions.tsx'
import { MessageBody } from './message-body.tsx'
import { AskedRow } from './asked-row.tsx'
import type { Row } from './rows.ts'
import { Files, ToolRow } from './tool-row.tsx'
import work from './tool-work.module.css'
import { ToolWork } from './tool-work.tsx'
import { AssignmentRow, CourseRow, DeathRow, GivenRow, PromptRow, ReplyRow, TellaskRow } from './tree-items.tsx'

const FailureText = lazy(async () => ({ default: (await import('../words/failure-text.tsx')).FailureText }))

const ShownMessage = lazy(async () => ({ default: (await import('../presentation/shown-message.tsx')).ShownMessage }))

export const LogRow = memo(
  function LogRow({ row, onShowCard }: { row: Row; onShowCard(): void }): ReactNode {
    const words = useWords()
    const agent = row.kind === 'draft' ? toAuthor({ kind: 'agent', name: row.agent }, words) : ''
    switch (row.kind) {
      case 'item':
        return <ItemRow item={row.item} count={row.count} onShowCard={onShowCard} />
      case 'draft':
        return (
          <article className={styles['row']} aria-label={`${agent} ${words.chat.writing}`} aria-busy="true" data-part="draft">
            <Tile name={row.agent} isWorking />
            <p className={styles['author']}>
              <bdi>{agent}</bdi>
            </p>
            {row.draft.text === '' ? (
              <p className={styles['thinking']}>{words.chat.thinking}</p>
            ) : (
              <MessageBody text={row.draft.text} isMine={false} />
            )}
          </article>
        )
      case 'work':
        return <ToolWork id={row.key} calls={row.calls} />
      case 'letter':
        return <LetterRow letter={row.letter} />
      case 'sent':
        return <LetterRow letter={{ text: row.text, state: 'sending' }} />
    }
  },
  (before, after) => before.onShowCard === after.onShowCard && isSame(before.row, after.row),
)

function isSame(before: Row, after: Row): boolean {
  if (before.kind === 'item' && after.kind === 'item') return before.item === after.item && before.count === after.count
  if (before.kind === 'work' && after.kind === 'work')
    return (
      before.calls.length === after.calls.length &&
      before.calls.every(({ item, count }, index) => item === after.calls[index]?.item && count === after.calls[index].count)
    )
  if (before.kind === 'draft' && after.kind === 'draft') return before.draft === after.draft
  if (before.kind === 'letter' && after.kind === 'letter') return before.letter === after.letter
  return before.kind === 'sent' && after.kind === 'sent'
}

function ItemRow({ item, count, onShowCard }: { item: DialogItem; count: number; onShowCard(): void }): ReactNode {
  const words = useWords()
  const times = useTimes()
  switch (item.kind) {
    case 'message': {
      const isMine = item.by.kind === 'human'
      const author = toAuthor(item.by, words)
      // A bubble at this side is the reader's, so its head is for those who listen only.
      const isOwn = isMine && author === words.chat.you && (item.via === null || item.via === 'web')
      return (
        <article
          id={`row-${item.id}`}
          tabIndex={-1}
          className={styles['row']}
          data-mine={isMine || undefined}
          data-part="message"
          aria-label={`${author}, ${times.clock(item.at)}`}
        >
          {!isMine && <Tile name={item.by.name} />}
          <p className={isOwn ? 'hidden-visually' : styles['author']}>
            {isMine && author !== words.chat.you && <Person name={author} size={20} />}
            <bdi>{author}</bdi>
            <time dateTime={new Date(item.at).toISOString()}>{times.clock(item.at)}</time>
            {isMine && item.via !== null && item.via !== 'web' && <span>{words.chat.via(item.via)}</span>}
          </p>
          {item.shown ? (
            <Suspense fallback={<MessageBody text={item.text} isMine={false} />}>
              <ShownMessage item={item} shown={item.shown} />
            </Suspense>
          ) : (
            (item.text.trim() !== '' || !item.files) && <MessageBody text={item.text} isMine={isMine} />
          )}
          {item.files && <Files files={item.files} />}
          {item.isCut && (
            <p className={styles['cut']}>
              <Icon name="pause" />
              {words.chat.stoppedHere}
            </p>
          )}
          {(author === words.chat.you || !isMine) && !item.isCut && (
            <MessageActions message={item.id} text={item.text} isMine={isMine} hasFiles={item.files !== undefined} />
          )}
        </article>
      )
    }
    case 'question':
      return <AskedRow item={item} onShowCard={onShowCard} />
    case 'tool':
      return (
        <div className={work['alone']}>
          <ToolRow item={item} count={count} />
        </div>
      )
    case 'failure':
      return (
        <Line icon="warn" isBad>
          <Suspense>
            <FailureText error={item.error} show="message" />
          </Suspense>{' '}
          <Times count={count} /> <time dateTime={new Date(item.at).toISOString()}>{times.clock(item.at)}</time>
        </Line>
      )
    case 'stopped':
      return <Line icon="pause">{words.chat.stoppedHere}</Line>
    case 'tellask':
      return <TellaskRow item={item} />
    case 'reply':
      return <ReplyRow item={item} />
    case 'assignment':
      return <AssignmentRow item={item} />
    case 'given':
      return <GivenRow item={item} />
    case 'course':
      return <CourseRow item={item} />
    case 'prompt':
      return <PromptRow item={item} />
    case 'died':
      return <DeathRow item={item} />
    case 'branch':
      return (
        <Line icon="branch">
          {words.chat.branchedFrom} <Link href={`/c/${item.from}#${item.message}`}>{words.chat.otherChat}</Link>
        </Line>
      )
    case 'note':
      return <Line icon="people">{noteText(words.dialogNotes, item.event, (name) => getCloser(name, words))}</Line>
  }
}

const Times = ({ count }: { count: number }): ReactNode => count > 1 && <span className={styles['count']}>×{count}</span>

function Line({ icon, isBad, children }: { icon: IconName; isBad?: boolean; children: ReactNode }): ReactNode {
  return (
    <p className={styles['line']} data-bad={isBad || undefined}>
      <Icon name={icon} />
      <span dir="auto">{children}</span>
    </p>
  )
}
