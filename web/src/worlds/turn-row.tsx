import type { ReactNode } from 'react'
import { Age } from '../lists/place.tsx'
import type { Talk } from './talk-page.tsx'
import { turnText } from './turn-text.ts'
import { useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type TurnRowProps = { turn: Talk['turns'][number]; isOurs: boolean; name: string }

/** One turn as plain text: nothing in the words of a peer is a link or an image. */
export function TurnRow({ turn, isOurs, name }: TurnRowProps): ReactNode {
  const words = useWorldWords()
  const text = turnText(turn.text, turn.tokens)
  return (
    <li id={`turn-${turn.turn}`} className={styles['turn']} data-ours={isOurs || undefined}>
      <p className={styles['soft']}>
        <bdi>{words.wrote(name, turn.turn)}</bdi>
        {turn.author === 'owner' && <> · {words.byOwner}</>} · <Age at={turn.at} />
      </p>
      {text !== '' && (
        <p className={styles['words']} dir="auto">
          {text}
        </p>
      )}
      {turn.tokens.length > 0 && (
        <p className={styles['marks']}>
          {turn.tokens.map((token, index) => (
            // A token may stand twice in a turn, and the list of a turn never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{words.marks[token === 'request_conversation_end' ? 'end' : token] ?? token}</span>
          ))}
        </p>
      )}
    </li>
  )
}
