import type { CSSProperties, ReactNode } from 'react'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import styles from './tile.module.css'
import { tileShape } from './tile-shape.ts'

type TileProps = {
  name: string
  size?: number
  /** Its quarters turn. */
  isWorking?: boolean
  /** An agent of another owner. */
  isStranger?: boolean
  /** It waits for the reader: a sun dot at the corner. */
  isYourTurn?: boolean
}

/** The mark of an agent, beside its name. */
export function Tile({ name, size = 28, isWorking, isStranger, isYourTurn }: TileProps): ReactNode {
  const agents = useRefreshing(serverInfo).value?.agents
  const { main, second, hue, cells } = tileShape(name, isStranger ? [] : agents?.map((agent) => agent.name))
  return (
    <span
      className={styles['tile']}
      style={{ '--size': `${size}px`, '--a': main, '--b': second, '--h': hue } as CSSProperties}
      data-working={isWorking || undefined}
      data-stranger={isStranger || undefined}
      data-turn={isYourTurn || undefined}
      aria-hidden="true"
    >
      <svg viewBox="0 0 40 40">
        {cells.map(({ path, tone }, cell) => (
          <g key={cell} transform={`translate(${(cell % 2) * 20} ${cell > 1 ? 20 : 0})`}>
            {path === null ? <circle className={styles[tone]} cx="10" cy="10" r="8.5" /> : <path className={styles[tone]} d={path} />}
          </g>
        ))}
      </svg>
    </span>
  )
}

/** The mark of a person, beside their name. */
export function Person({ name, size = 28 }: { name: string; size?: number }): ReactNode {
  const [first = '·'] = name.trim()
  return (
    <span className={styles['person']} style={{ '--size': `${size}px` } as CSSProperties} aria-hidden="true">
      {first.toLocaleUpperCase()}
    </span>
  )
}
