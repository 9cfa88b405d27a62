import type { ReactNode } from 'react'
import type { DeliveryView } from '../../../src/client/index.ts'

/** The parts of a message that a chat app could not show, and how they were shown instead. */
export const LossList = ({ losses }: { losses: DeliveryView['losses'] }): ReactNode => (
  <ul>
    {losses.map(({ what, from, to, why }, index) => (
      <li key={`${index} ${what}`} dir="auto">
        {what}: {from} → {to} ({why})
      </li>
    ))}
  </ul>
)
