import { memo, type ReactNode } from 'react'
import type { BuildLine } from '../../../src/client/index.ts'
import { toAuthor } from '../chat/author.ts'
import rows from '../chat/log-row.module.css'
import { MessageBody } from '../chat/message-body.tsx'
import { Icon } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './build-lines.module.css'
import { useBuildWords } from './use-build.ts'

/** One line of the chat. It never changes once it is there, but for a question that is closed. */
export const Line = memo(function Line({ line, agent }: { line: BuildLine; agent: string }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  switch (line.kind) {
    case 'request':
      return (
        <Said author={words.you} at={line.at} isMine>
          <MessageBody text={line.text} isMine />
          {line.state === 'waiting' && (
            <p className={styles['pending']} role="status">
              {words.willBeRead}
            </p>
          )}
        </Said>
      )
    case 'message':
      return (
        <Said author={toAuthor({ kind: 'agent', name: agent }, page)} at={line.at} agent={agent}>
          <MessageBody text={line.text} isMine={false} />
        </Said>
      )
    case 'reassurance':
      return (
        <p className={styles['light']} dir="auto" data-part="reassurance">
          {line.text}
        </p>
      )
    case 'question':
      // While it is open its card says it.
      if (line.state === 'open') return null
      return (
        <div className={styles['asked']} data-part="asked">
          <Icon name="question" />
          <p dir="auto">
            {line.ask.prompt} {line.state === 'passed' && <small>{words.passed}</small>}
          </p>
        </div>
      )
    case 'answer':
      return (
        <Said author={toAuthor({ kind: 'human', name: line.by ?? '' }, page)} at={line.at} isMine>
          {line.items.length === 1 ? (
            <MessageBody text={line.items[0]?.text ?? ''} isMine />
          ) : (
            <dl className={`${rows['bubble']} ${styles['answers']}`}>
              {line.items.map(({ id, prompt, text }) => (
                <div key={id}>
                  <dt dir="auto">{prompt}</dt>
                  <dd dir="auto">{text}</dd>
                </div>
              ))}
            </dl>
          )}
        </Said>
      )
  }
})

type SaidProps = { author: string; at: number; isMine?: boolean; agent?: string; children: ReactNode }

function Said({ author, at, isMine, agent, children }: SaidProps): ReactNode {
  const words = useBuildWords()
  const times = useTimes()
  return (
    <article
      className={rows['row']}
      data-mine={isMine || undefined}
      data-part={isMine ? 'mine' : 'message'}
      aria-label={`${author}, ${times.clock(at)}`}
    >
      {agent !== undefined && <Tile name={agent} />}
      <p className={isMine && author === words.you ? 'hidden-visually' : rows['author']}>
        <bdi>{author}</bdi>
        <time dateTime={new Date(at).toISOString()}>{times.clock(at)}</time>
      </p>
      {children}
    </article>
  )
}
