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
  terminal.result(result ?? null, () => (result === undefined ? '' : JSON.stringify(result, null, 2)))
}
