import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeCapabilities, routeRow } from '../src/authority/route-capabilities.ts'
import { getToolKind } from '../src/authority/tool-kinds.ts'
import { taskdocToolNames } from '../src/agents/taskdoc/taskdoc-tools.ts'
import { type Method, type OperationId, operations } from '../src/shapes/operations.ts'
import { tellaskTools } from '../src/dialogs/rules/tellask.ts'
import { mindTools } from '../src/dialogs/rules/tree-tools.ts'
import { projectFiles } from './project-files.ts'

/** Every operation of the API, and the former paths that src/server writes below an operation. */
function serverRoutes(): { method: Method; path: string }[] {
  const former = projectFiles(['src/server'], /(?<!\.test)\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/operation: '([\w.]+)',\s+formerPath: '([^']+)'/g)].map(([, id = '', path = '']) => ({
      method: operations[id as OperationId].method,
      path,
    })),
  )
  return [...Object.values(operations), ...former]
}

test('every route of the server has a capability, and every row that is not planned has a route', (t) => {
  const match = serverRoutes()
  t.diagnostic(`${match.length} routes`)
  assert.ok(match.length > 50, `only ${match.length} routes were found`)
  assert.deepEqual(
    match.filter(({ method, path }) => routeRow(method, path) === null).map(({ method, path }) => `${method} ${path}`),
    [],
  )
  const knownKeys = new Set(match.map(({ method, path }) => `${method} ${path}`))
  // The WebSocket is no row of the route table.
  const beside = new Set(['get /v1/live'])
  assert.deepEqual(
    routeCapabilities
      .map(({ method, path, later }) => (later ? '' : `${method} ${path}`))
      .filter((key) => key !== '' && !knownKeys.has(key) && !beside.has(key)),
    [],
  )
})

test('every tool of Parley has a kind', (t) => {
  const named = projectFiles(['src/agents/workspace', 'src/builds/runner', 'src/agents/message-tool.ts'], /(?<!\.test)\.ts$/).flatMap(
    ({ text }) => [...text.matchAll(/(?:name: |tool\(\s*)'([a-z_]+)'/g)].map(([, name = '']) => name),
  )
  const tools = [...named, ...Object.values(tellaskTools), ...Object.values(mindTools), ...Object.values(taskdocToolNames), 'askHuman']
  for (const verb of ['add', 'replace', 'drop', 'clear']) tools.push(`${verb}_memory`, `${verb}_team_memory`)
  t.diagnostic(`${tools.length} tools`)
  assert.ok(tools.length > 20, `only ${tools.length} tools were found`)
  assert.deepEqual(
    tools.filter((tool) => getToolKind(tool) === null),
    [],
  )
})
