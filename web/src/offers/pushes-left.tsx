import type { ReactNode } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { useOfferWords } from './offer-words.ts'
import styles from './offers.module.css'
import { usePushes } from './use-pushes.ts'

/** The number of pushes that are left. Shown after the first push, with a refill after the last time. */
export function PushesLeft({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const texts = useOfferWords()
  const control = usePushes(dialog, view, true)
  if (control === null || !control.pushes.isOn) return null
  const { pushes, error, change } = control
  return (
    <p className={styles['pushes']}>
      {texts.pushes(pushes.left)}
      {pushes.left === 0 && (
        <button type="button" className="button" data-kind="quiet" onClick={() => void change('refill')}>
          {texts.refill}
        </button>
      )}
      {error !== null && <span role="alert">{error}</span>}
    </p>
  )
}
