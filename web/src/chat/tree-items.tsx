import type { ReactNode } from 'react'
import { Link } from 'wouter'
import {
  type AssignmentItem,
  type CourseItem,
  type DeathItem,
  type GivenReplyItem,
  type PromptItem,
  type ReplyItem,
  type TellaskItem,
  withoutMarker,
} from '../../../src/client/index.ts'
import { StatusMark } from '../lists/status-mark.tsx'
import { Icon } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { useTrees } from '../tree/tree-store.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { useTimes, useWords } from '../words/use-words.ts'
import { getCloser } from './author.ts'
import log from './log-row.module.css'
import { MessageBody } from './message-body.tsx'
import styles from './tree-items.module.css'

/** Another place in the log that is shown: the page goes there by itself. */
const Here = ({ to, children }: { to: string; children: ReactNode }): ReactNode => (
  <a className={styles['link']} href={`#${to}`}>
    {children}
  </a>
)

const There = ({ dialog, item, children }: { dialog: string; item: string; children: ReactNode }): ReactNode => (
  <Link className={styles['link']} href={`/c/${dialog}#${item}`}>
    {children}
  </Link>
)

type BoxProps = {
  id: string
  at: number
  /** The other agent. */
  agent: string
  title: string
  part: string
  children: ReactNode
  foot: ReactNode
  isBad?: boolean
}

function Box({ id, at, agent, title, part, children, foot, isBad }: BoxProps): ReactNode {
  const times = useTimes()
  return (
    <article
      id={`row-${id}`}
      tabIndex={-1}
      className={styles['box']}
      data-part={part}
      data-bad={isBad || undefined}
      aria-label={`${title}, ${times.clock(at)}`}
    >
      <p className={styles['title']}>
        <Tile name={agent} size={22} />
        <bdi>{title}</bdi>
        <time dateTime={new Date(at).toISOString()}>{times.clock(at)}</time>
      </p>
      {children}
      <p className={styles['foot']}>{foot}</p>
    </article>
  )
}

const named = (agent: string, session: string | null): string => (session === null ? agent : `${agent} (${session})`)

/** A request to a teammate, with what the teammate is doing now. */
export function TellaskRow({ item }: { item: TellaskItem }): ReactNode {
  const words = useWords()
  const { byDialog } = useTrees()
  const there = byDialog.get(item.to)
  // While the whole dialog waits, the bar above the message field shows the state.
  const isInBar = item.reply === null && byDialog.get(there?.origin?.parent ?? '')?.status === 'delegated'
  const title =
    item.mode === 'reasoning'
      ? words.tree.thinks
      : item.mode === 'back'
        ? words.tree.asksBack(item.agent)
        : words.tree.asks(named(item.agent, item.session))
  return (
    <Box
      id={item.id}
      at={item.at}
      agent={item.agent}
      title={title}
      part="tellask"
      foot={
        <>
          {there && item.mode !== 'back' && !isInBar && <StatusMark status={there.status} pending={there.pending} />}
          {item.mode !== 'back' && (
            <There dialog={item.to} item={item.id}>
              {words.tree.open}
            </There>
          )}
          {item.reply && <Here to={item.reply.item}>{words.tree.goToReply}</Here>}
        </>
      }
    >
      <p className={styles['text']} dir="auto">
        {withoutMarker(item.content)}
      </p>
    </Box>
  )
}

export function ReplyRow({ item }: { item: ReplyItem }): ReactNode {
  const words = useWords()
  const name = item.ask === null ? words.tree.teammate : named(item.ask.agent, item.ask.session)
  const isReply = item.outcome === 'replied'
  return (
    <Box
      id={item.id}
      at={item.at}
      agent={item.ask?.agent ?? ''}
      title={isReply ? words.tree.replied(name) : words.tree.noReply(name)}
      part="reply"
      isBad={!isReply}
      foot={
        item.ask && (
          <>
            <Here to={item.tellask}>{words.tree.goToCall}</Here>
            {item.ask.mode !== 'back' && (
              <There dialog={item.ask.to} item={`given-${item.tellask}`}>
                {words.tree.open}
              </There>
            )}
          </>
        )
      }
    >
      <MessageBody text={withoutMarker(item.text)} isMine={false} />
    </Box>
  )
}

export function AssignmentRow({ item }: { item: AssignmentItem }): ReactNode {
  const words = useWords()
  const isBack = item.mode === 'back'
  return (
    <Box
      id={item.id}
      at={item.at}
      agent={item.by}
      title={isBack ? words.tree.askedBack(item.by) : words.tree.assignedBy(named(item.by, item.session))}
      part="assignment"
      foot={
        <There dialog={item.from} item={item.id}>
          {words.tree.goToCall}
        </There>
      }
    >
      <div className={styles['text']} dir="auto">
        {withoutMarker(item.content)}
      </div>
    </Box>
  )
}

export function GivenRow({ item }: { item: GivenReplyItem }): ReactNode {
  const words = useWords()
  return (
    <p id={`row-${item.id}`} tabIndex={-1} className={log['line']} data-part="given">
      <Icon name="check" />
      <span>
        {words.tree.repliedTo(item.assignment?.by ?? words.tree.teammate)}
        {item.assignment && (
          <>
            {' · '}
            <There dialog={item.assignment.from} item={`reply-${item.tellask}`}>
              {words.tree.goToReply}
            </There>
          </>
        )}
      </span>
    </p>
  )
}

export function CourseRow({ item }: { item: CourseItem }): ReactNode {
  const words = useWords()
  const why = item.why === 'asked' ? words.tree.courseAsked : words.tree.courseForced
  return (
    <p id={`row-${item.id}`} tabIndex={-1} className={styles['course']} data-part="course">
      <Icon name="spark" />
      <span>{words.tree.course(item.course, why)}</span>
    </p>
  )
}

export function PromptRow({ item }: { item: PromptItem }): ReactNode {
  const words = useWords()
  return (
    <details className={styles['prompt']} data-part="prompt">
      <summary>{words.tree.prompt}</summary>
      <p dir="auto">{item.text}</p>
    </details>
  )
}

export function DeathRow({ item }: { item: DeathItem }): ReactNode {
  const words = useWords()
  return (
    <p id={`row-${item.id}`} className={log['line']} data-bad data-part="died">
      <Icon name="close" />
      <span dir="auto">{deathWords(item, words)}</span>
    </p>
  )
}

const deathWords = ({ by, note }: DeathItem, words: PageWords): string => {
  const deathText = words.tree.died(getCloser(by.name, words))
  return note === null ? deathText : `${deathText}: ${note}`
}
