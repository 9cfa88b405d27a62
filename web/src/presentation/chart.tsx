import type { ReactNode } from 'react'
import type { MessagePresentationChart } from '../../../src/chats/message/presentation.ts'
import { useWords } from '../words/use-words.ts'
import styles from './presentation.module.css'

const size = { width: 320, height: 120 }

/** Lines over the categories, or one bar for each value. The numbers are always readable as text. */
export function Chart({ chart }: { chart: MessagePresentationChart }): ReactNode {
  const { chartType, title, xLabel, yLabel, categories, series } = chart
  const words = useWords()
  const values = series.flatMap((one) => one.values)
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const range = highest - lowest || 1
  const isLine = chartType === 'line' || chartType === 'area'
  return (
    <figure className={styles['chart']}>
      {title !== undefined && <figcaption dir="auto">{title}</figcaption>}
      {yLabel !== undefined && <p className={styles['context']}>{yLabel}</p>}
      {isLine && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true">
          {series.map((one, index) => {
            const points = one.values.map((value, at) => toPoint(at, one.values.length, (value - lowest) / range))
            const base = [`${size.width},${size.height}`, `0,${size.height}`]
            return (
              <g key={index} data-series={index % 4}>
                {chartType === 'area' && <polygon points={[...points, ...base].join(' ')} />}
                <polyline points={points.join(' ')} />
              </g>
            )
          })}
        </svg>
      )}
      <dl className={styles['bars']} data-line={isLine || undefined}>
        {categories.map((category, at) => (
          <div key={at}>
            <dt dir="auto">{category}</dt>
            {series.map((one, index) => {
              const value = one.values[at] ?? 0
              return (
                <dd key={index} data-series={index % 4}>
                  {!isLine && (
                    <span className={styles['bar']} style={{ inlineSize: `${(Math.abs(value) / toWhole(chart, index, range)) * 100}%` }} />
                  )}
                  <span className={styles['value']}>
                    {series.length > 1 && `${one.name || words.chat.series} `}
                    {value}
                  </span>
                </dd>
              )
            })}
          </div>
        ))}
      </dl>
      {xLabel !== undefined && <p className={styles['context']}>{xLabel}</p>}
    </figure>
  )
}

const toPoint = (at: number, count: number, share: number): string =>
  `${count < 2 ? 0 : (at / (count - 1)) * size.width},${(1 - share) * size.height}`

/** The slices of a pie are parts of their sum. */
function toWhole({ chartType, series }: MessagePresentationChart, index: number, range: number): number {
  if (chartType !== 'pie') return range
  return (series[index]?.values ?? []).reduce((sum, value) => sum + Math.abs(value), 0) || 1
}
