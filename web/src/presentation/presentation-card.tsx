import type { ReactNode } from 'react'
import { actionOf, type MessagePresentation, type MessagePresentationBlock } from '../../../src/chats/message/presentation.ts'
import { MessageBody } from '../chat/message-body.tsx'
import { Icon } from '../look/icon.tsx'
import { safeLink } from '../markdown/safe-link.ts'
import { useWords } from '../words/use-words.ts'
import { Chart } from './chart.tsx'
import { ControlButton } from './control-button.tsx'
import styles from './presentation.module.css'

/** Taps of one message. `sending` is the value on its way. */
export type Taps = { isOver: boolean; chosen: string | null; sending: string | null; tap(value: string): void }

/** A presentation with its tone, title and blocks; `children` stand below it in the same card. */
export function PresentationCard(props: { presentation: MessagePresentation; taps: Taps; children?: ReactNode }): ReactNode {
  const { presentation, taps, children } = props
  const { tone = 'neutral', title, blocks } = presentation
  const isSign = tone === 'warning' || tone === 'danger'
  return (
    <div className={styles['card']} data-part="presentation" data-tone={tone}>
      {title !== undefined && (
        <p className={styles['title']} dir="auto">
          {tone !== 'neutral' && <Icon name={isSign ? 'warn' : tone === 'success' ? 'check' : 'chats'} />}
          <strong>{title}</strong>
        </p>
      )}
      {blocks.map((block, index) => (
        <Block key={index} block={block} taps={taps} />
      ))}
      {children}
    </div>
  )
}

function Block({ block, taps }: { block: MessagePresentationBlock; taps: Taps }): ReactNode {
  const words = useWords()
  switch (block.type) {
    case 'text':
      return <MessageBody text={block.text} isMine={false} />
    case 'context':
      return (
        <p className={styles['context']} dir="auto">
          {block.text}
        </p>
      )
    case 'divider':
      return <hr className={styles['divider']} />
    case 'buttons':
      return (
        <div className={styles['buttons']}>
          {block.buttons.map((button, index) => (
            <ControlButton key={index} button={button} taps={taps} />
          ))}
        </div>
      )
    case 'select':
      return (
        <select
          className={styles['select']}
          aria-label={block.placeholder ?? words.chat.choose}
          value={selectedIndex(block.options, taps)}
          disabled={taps.isOver || taps.sending !== null}
          onChange={(event) => {
            const option = block.options[Number(event.target.value)]
            if (option) taps.tap(toValue(option))
          }}
        >
          <option value="">{block.placeholder ?? words.chat.choose}</option>
          {block.options.map((option, index) => (
            <option key={index} value={index}>
              {option.label}
            </option>
          ))}
        </select>
      )
    case 'image':
      return <ImageLink url={block.url} alt={block.alt} />
    case 'table':
      return (
        <div className={styles['scroll']} tabIndex={0} role="region" aria-label={block.caption ?? words.chat.table}>
          <table className={styles['table']}>
            {block.caption !== undefined && <caption>{block.caption}</caption>}
            <thead>
              <tr>
                {block.headers.map((header, index) => (
                  <th key={index} scope="col" dir="auto">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at} dir="auto" data-number={typeof cell === 'number' || undefined}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'chart':
      return <Chart chart={block} />
  }
}

const toValue = (option: Extract<MessagePresentationBlock, { type: 'select' }>['options'][number]): string => {
  const action = actionOf(option)
  return action.type === 'callback' ? action.value : action.type === 'command' ? action.command : ''
}

function selectedIndex(options: Extract<MessagePresentationBlock, { type: 'select' }>['options'], { chosen, sending }: Taps): number | '' {
  const index = options.findIndex((option) => toValue(option) === (sending ?? chosen))
  return index < 0 ? '' : index
}

/** The page loads nothing from other servers, so a picture is a link. */
function ImageLink({ url, alt }: { url: string; alt: string }): ReactNode {
  const href = safeLink(url)
  return (
    <p className={styles['image']}>
      <Icon name="file" />
      {href === null ? (
        <span dir="auto">{alt}</span>
      ) : (
        <a href={href} target="_blank" rel="noreferrer noopener" dir="auto">
          {alt === '' ? href : alt}
        </a>
      )}
    </p>
  )
}
