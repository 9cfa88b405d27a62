import { type ReactNode, useRef, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { Icon } from '../look/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import modal from '../parts/modal.module.css'
import { ConfirmFreshStart } from './fresh-start.tsx'
import { useOfferWords } from './offer-words.ts'
import styles from './offers.module.css'
import { usePushes } from './use-pushes.ts'

/** Seldom needed actions for one dialog. */
export function DialogMenu({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const texts = useOfferWords()
  const menu = useRef<HTMLDialogElement>(null)
  const ask = useRef<HTMLDialogElement>(null)
  const [wasOpened, setOpened] = useState(false)
  const control = usePushes(dialog, view, wasOpened)
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        data-shape="icon"
        aria-haspopup="dialog"
        aria-label={texts.menu}
        onClick={() => {
          setOpened(true)
          menu.current?.showModal()
        }}
      >
        <Icon name="dots" />
      </button>
      <Modal ref={menu} title={texts.menu}>
        <button
          type="button"
          className="button"
          onClick={() => {
            // The confirmation gives the focus back to the button in the header.
            menu.current?.close()
            ask.current?.showModal()
          }}
        >
          <Icon name="spark" />
          {texts.freshStart}…
        </button>
        {control && (
          <div className={modal['row']}>
            <label className={modal['check']}>
              <input
                type="checkbox"
                checked={control.pushes.isOn}
                onChange={(event) => void control.change(event.target.checked ? 'on' : 'off')}
              />
              {texts.pushSwitch}
            </label>
            {control.pushes.isOn && (
              <p className={styles['pushes']}>
                {texts.pushes(control.pushes.left)}
                {control.pushes.left < control.pushes.most && (
                  <button type="button" className="button" onClick={() => void control.change('refill')}>
                    {texts.refill}
                  </button>
                )}
              </p>
            )}
            <p className={modal['label']}>{texts.pushAbout}</p>
            {control.error !== null && (
              <p role="alert" className={modal['bad']}>
                {control.error}
              </p>
            )}
          </div>
        )}
      </Modal>
      <ConfirmFreshStart ref={ask} dialog={dialog} />
    </>
  )
}
