import { type ReactNode, useRef, useState } from 'react'
import type { DialogStatus, DialogSummary } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { inWords, useWords } from '../words/use-words.ts'

type What = 'stop' | 'resume'

const statusesFor: Record<What, readonly DialogStatus[]> = { stop: ['working'], resume: ['stopped', 'failed'] }

/** Everything that works, or everything that rests unwillingly: said how many it is, asked once. With a root, only its tree. */
export function AllButtons({ root }: { root?: string }): ReactNode {
  const words = useWords()
  const ask = useRef<HTMLDialogElement>(null)
  const [what, setWhat] = useState<What>('stop')
  const [count, setCount] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)

  const begin = async (action: What): Promise<void> => {
    setWhat(action)
    setCount(null)
    setError(null)
    ask.current?.showModal()
    try {
      setCount(await countItems(action, root))
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
    }
  }
  const go = async (): Promise<void> => {
    try {
      const outcome = await (what === 'stop' ? client.dialogs.stopAll(root) : client.dialogs.resumeAll(root))
      ask.current?.close()
      announce(what === 'stop' ? words.tree.stoppedAll(outcome.count) : words.tree.resumedAll(outcome.count))
    } catch (failure) {
      setError(`${words.tree.failed} ${inWords(asWords(failure), words).message}`)
    }
  }

  const isStop = what === 'stop'
  const isTree = root !== undefined
  const isEmergency = (useRefreshing(inbox).value?.emergency ?? null) !== null
  const question = isStop ? (isTree ? words.tree.stopTreeAsk : words.tree.stopAllAsk) : words.tree.resumeAllAsk
  const next = isStop ? (isTree ? words.tree.stopTreeNext : words.tree.stopAllNext) : words.tree.resumeAllNext
  // Stop holds what starts later as well, so it makes sense while nothing works.
  const isPointless = count === 0 && !isStop
  // The banner has the only button that makes sense then.
  if (isEmergency) return null
  return (
    <>
      <button type="button" className="button" data-kind="quiet" aria-label={words.tree.stopAll} onClick={() => void begin('stop')}>
        <Icon name="stop" />
        <span className={root === undefined ? undefined : 'only-wide'}>{words.tree.stopAll}</span>
      </button>
      <button type="button" className="button" data-kind="quiet" aria-label={words.tree.resumeAll} onClick={() => void begin('resume')}>
        <Icon name="play" />
        <span className={root === undefined ? undefined : 'only-wide'}>{words.tree.resumeAll}</span>
      </button>
      <Confirm
        ref={ask}
        title={isStop ? words.tree.stopAll : words.tree.resumeAll}
        next={count === null ? words.tree.counting : isPointless ? words.tree.resumeAllNone : `${question(count)} ${next}`}
        action={isStop ? words.tree.stopAll : words.tree.resumeAll}
        isDangerous={isStop}
        error={error}
        onConfirm={count === null || isPointless ? null : () => void go()}
      />
    </>
  )
}

/** Roots in these states, and side dialogs in them below waiting roots. */
async function countItems(what: What, root: string | undefined): Promise<number> {
  const statuses = statusesFor[what]
  const isMeant = ({ status }: DialogSummary): boolean => statuses.includes(status)
  if (root !== undefined) return (await client.dialogs.tree(root)).filter(isMeant).length
  const matches = new Set<string>()
  const roots: DialogSummary[] = []
  for (const status of new Set<DialogStatus>([...statuses, 'delegated', 'waiting', 'working'])) {
    roots.push(...(await client.dialogs.list({ status, limit: 200 })).items)
    if (what === 'stop') roots.push(...(await client.dialogs.list({ status, limit: 200, of: 'builds' })).items)
  }
  for (const dialog of roots) {
    if (isMeant(dialog)) matches.add(dialog.id)
    // A dialog without pending requests has no side dialog that works or was cut.
    if (dialog.pending.length === 0) continue
    for (const side of await client.dialogs.tree(dialog.id)) if (isMeant(side)) matches.add(side.id)
  }
  return matches.size
}
