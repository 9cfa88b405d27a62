import { type ReactNode, useId, useState } from 'react'
import type { OperationResult } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { ActButton, CardForm, ErrorLine, TextField } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { identity, useWorldWords, type WorldRow, worldsHome } from './use-worlds.ts'
import styles from './worlds.module.css'

/** One world for one own agent. Its text is read before joining. */
export function WorldCard({ account, row }: { account: string; row: WorldRow }): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const [detail, setDetail] = useState<OperationResult<'worlds.get'> | null>(null)
  const [joinText, setJoinText] = useState('')
  const { isSending, error, run } = useAction(worldsHome.refresh)
  const { world, displayName, summary, owner, stats, status, membership } = row
  const isMember = membership === 'active'
  const join = (): void => {
    if (!detail) return
    const given = { account, text: joinText.trim(), version: detail.version }
    void run(() => client.worlds.join(world, given), words.didJoin(displayName))
  }
  return (
    <li className={styles['card']} aria-labelledby={id} data-world={world}>
      <h3 id={id} dir="auto">
        {displayName}
      </h3>
      <p className={styles['soft']}>
        {words.worldStatus[status]} · {words.members(stats.members)} · <bdi>{words.hostedBy(identity(owner))}</bdi>
        {isMember && <> · {words.isMember(account)}</>}
      </p>
      <p dir="auto">{summary}</p>
      {detail === null ? (
        <div>
          <button
            type="button"
            className="button"
            aria-disabled={isSending}
            aria-label={`${words.show}: ${displayName} (${account})`}
            onClick={() =>
              void run(async () => {
                const read = await client.worlds.get(world, { account })
                setDetail(read)
                setJoinText(read.joinText ?? '')
              }, displayName)
            }
          >
            {words.show}
          </button>
        </div>
      ) : (
        <>
          <p className={styles['quote']} dir="auto">
            {detail.text}
          </p>
          {!isMember && status === 'enabled' && (
            <CardForm error={null} onSubmit={join} acts={<ActButton label={words.join} kind="main" isSending={isSending} />}>
              <TextField label={words.joinText(account)} rows={2} required maxLength={1_000} value={joinText} onChange={setJoinText} />
            </CardForm>
          )}
          {isMember && row.role !== 'owner' && (
            <div>
              <button
                type="button"
                className="button"
                aria-disabled={isSending}
                onClick={() => void run(() => client.worlds.leave(world, { account }), words.didLeave(displayName))}
              >
                {words.leave}
              </button>
            </div>
          )}
        </>
      )}
      <ErrorLine error={error} />
    </li>
  )
}
