import type { ReactNode } from 'react'

const shapes = {
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  gear: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  play: 'M8 5.5v13l10.5-6.5z',
  down: 'M12 5v14M6 13l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warn: 'M12 4.5L3 19.5h18zM12 10v4.5M12 17v.2',
  question: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.8-1.1 1.8M12 16.6v.2',
  build: 'M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4',
  tool: 'M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5L15 12l-3-3z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  dots: 'M6 12v.1M12 12v.1M18 12v.1',
  pause: 'M9 6v12M15 6v12',
  chevron: 'M9 5l7 7-7 7',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.3 2.7-6 6-6s6 2.7 6 6M15.5 4.5a3.5 3.5 0 0 1 0 6M17.5 14.5c2.1.8 3.5 2.9 3.5 5.5',
  reply: 'M10 6l-6 6 6 6M4 12h10a6 6 0 0 1 6 6v1',
  chats: 'M4 5h11v8H9l-3 3v-3H4zM18 9h2v8h-2v3l-3-3h-4',
  shield: 'M12 3.5l7 2.5v5.5c0 4.2-2.8 7.4-7 9-4.2-1.6-7-4.8-7-9V6z',
  clip: 'M8 12.5l6.5-6.5a3 3 0 0 1 4.2 4.2L10 19a5 5 0 0 1-7-7l8-8',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4',
  spark: 'M12 4v4M12 16v4M4 12h4M16 12h4M6.5 6.5l2.5 2.5M15 15l2.5 2.5M17.5 6.5L15 9M9 15l-2.5 2.5',
} as const

export type IconName = keyof typeof shapes

/** Always beside a word or an accessible name, so it is never read out by itself. */
export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  )
}
