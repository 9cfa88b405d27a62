import { type ReactNode, useState } from 'react'
import { client } from '../link/page-client.ts'
import { ActButton, CardForm, TextField } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { useWorldWords } from './use-worlds.ts'

type OwnTurnProps = { account: string; request: string; isTakenOver: boolean; refresh(): void }

/** Takes over from the agent, writes turns in its place, and hands back. */
export function OwnTurn({ account, request, isTakenOver, refresh }: OwnTurnProps): ReactNode {
  const words = useWorldWords()
  const [text, setText] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const of = { account }
  if (!isTakenOver)
    return (
      <CardForm
        error={error}
        acts={
          <ActButton
            label={words.takeOver}
            isSending={isSending}
            onClick={() => void run(() => client.conversations.takeOver(request, of), words.didTakeOver)}
          />
        }
      />
    )
  const send = (): void => {
    if (text.trim() === '') return
    void run(() => client.conversations.write(request, { ...of, text: text.trim() }), words.sent).then((isDone) => isDone && setText(''))
  }
  return (
    <CardForm
      error={error}
      onSubmit={send}
      acts={
        <>
          <ActButton label={words.send} kind="main" isSending={isSending} />
          <ActButton
            label={words.handBack}
            isSending={isSending}
            onClick={() => void run(() => client.conversations.handBack(request, of), words.didHandBack)}
          />
        </>
      }
    >
      <TextField label={words.own} rows={3} required maxLength={4_000} value={text} onChange={setText} />
    </CardForm>
  )
}
