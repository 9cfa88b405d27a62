import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { readStdin } from '../read-stdin.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const typed = given.arg(1)
  const text = (typed === '-' ? await readStdin(terminal, 'The turn') : typed).trim()
  if (text === '') throw new UsageError('The turn has no text.', 'Write it behind the id: parley requests write crq_1 "…"')
  const request = given.arg(0)
  const of = { account: given.text('account') }
  const talk = await withServer(terminal, async ({ client }) => {
    await client.conversations.takeOver(request, of)
    return client.conversations.write(request, { ...of, text, end: given.on('end') })
  })
  terminal.result(talk, () => terminal.words.worlds.wrote(request))
}
