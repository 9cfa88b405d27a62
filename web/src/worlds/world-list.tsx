import { type ReactNode, useState } from 'react'
import { asTypedHere } from '../words/use-words.ts'
import { TextField } from './card-form.tsx'
import { Section } from './section.tsx'
import { useWorldWords, type WorldsHome } from './use-worlds.ts'
import { type SeenWorld, WorldCard } from './world-card.tsx'
import styles from './worlds.module.css'

/** A shorter list is read faster than searched. */
const searchFrom = 6

/** Each world once, however many own agents see it. */
export function WorldList({ home: { worlds, talks } }: { home: WorldsHome }): ReactNode {
  const words = useWorldWords()
  const [search, setSearch] = useState('')
  const all = Map.groupBy(
    worlds.flatMap(({ account, rows }) => rows.map((row): SeenWorld => ({ account, row }))),
    ({ row }) => row.world,
  )
  const query = search.trim().toLowerCase()
  const matches = [...all].flatMap(([world, [first, ...others]]) => {
    if (!first) return []
    const { displayName, summary, tags } = first.row
    const isMatch = [displayName, summary, ...tags].join('\n').toLowerCase().includes(query)
    return isMatch ? [{ world, seen: [first, ...others] as const }] : []
  })
  const countRunning = (id: string): number =>
    talks.filter(({ world, status, end }) => world?.world === id && status === 'accepted' && end === null).length
  return (
    <Section id="worlds" title={words.worlds}>
      {all.size === 0 && <p className={styles['soft']}>{asTypedHere(words.noWorlds)}</p>}
      {all.size > searchFrom && <TextField label={words.search} maxLength={200} value={search} onChange={setSearch} />}
      {query !== '' && (
        <p role="status" className={styles['soft']}>
          {matches.length === 0 ? words.noneFound : words.found(matches.length)}
        </p>
      )}
      <ul className={styles['rows']}>
        {matches.map(({ world, seen }) => (
          <WorldCard key={world} seen={seen} running={countRunning(world)} />
        ))}
      </ul>
    </Section>
  )
}
