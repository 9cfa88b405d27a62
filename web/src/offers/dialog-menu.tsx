import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { isOperator, useReader } from '../link/reader.ts'
import { Icon } from '../look/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import modal from '../parts/modal.module.css'
import { ConfirmDelete, DialogActs, Rename } from './dialog-acts.tsx'
import { ConfirmFreshStart } from './fresh-start.tsx'
import { useOfferWords } from './offer-words.ts'
import styles from './offers.module.css'
import { ModelChoice } from './model-choice.tsx'
import { usePushes } from './use-pushes.ts'

/** Seldom needed actions for one dialog. */
export function DialogMenu({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const texts = useOfferWords()
  const menu = useRef<HTMLDialogElement>(null)
  const ask = useRef<HTMLDialogElement>(null)
  const rename = useRef<HTMLDialogElement>(null)
  const remove = useRef<HTMLDialogElement>(null)
  const canDelete = isOperator(useReader()) && view.origin === null && view.status !== 'retired'
  const [wasOpened, setOpened] = useState(false)
  const works = view.status !== 'dead' && view.status !== 'retired'
  const control = usePushes(dialog, view, wasOpened)
  // The next dialog gives the focus back to the button in the header.
  const goTo = (next: RefObject<HTMLDialogElement | null>): void => {
    menu.current?.close()
    next.current?.showModal()
  }
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
        <DialogActs
          dialog={dialog}
          view={view}
          isOpen={wasOpened}
          onRename={() => goTo(rename)}
          onFresh={works ? () => goTo(ask) : null}
          onDelete={canDelete ? () => goTo(remove) : null}
          onDone={() => menu.current?.close()}
        />
        {works && <ModelChoice dialog={dialog} view={view} />}
        {works && control && (
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
      <ConfirmDelete ref={remove} dialog={dialog} />
      <Rename ref={rename} dialog={dialog} title={view.title} />
    </>
  )
}
