import type { CommandFunction } from '../command-row.ts'
import { http } from '../../client/http.ts'
import { withServer } from '../connect.ts'
import { UsageError } from '../fault.ts'
import { readJson } from '../read-json.ts'

export const run: CommandFunction = async (terminal, given) => {
  const method = given.arg(0).toUpperCase() as 'GET' | 'POST' | 'PATCH' | 'DELETE'
  const path = given.arg(1)
  if (!path.startsWith('/')) throw new UsageError(`"${path}" is not a path.`, 'It looks like: /v1/dialogs')
  const typed = given.text('body')
  if (method === 'GET' && typed !== undefined) throw new UsageError('GET takes no body.', 'Add the values to the path: /v1/dialogs?limit=5')
  const body = typed === undefined ? undefined : await readJson(terminal, '--body', typed, '{"text": "Hello"}')
  const result = await withServer(terminal, ({ found: { url, token } }) => {
    const { get, send } = http({ baseUrl: url, token, via: 'cli', tries: 3 })
    const empty = method === 'POST' ? {} : undefined
    return method === 'GET' ? get<unknown>(path) : send<unknown>(method, path, body ?? empty, { key: given.text('key') })
  })
  // Exactly the body of the response: here times stay numbers.
  if (result !== undefined || terminal.json) terminal.stdout.write(`${JSON.stringify(result ?? null, null, terminal.json ? 0 : 2)}\n`)
}
