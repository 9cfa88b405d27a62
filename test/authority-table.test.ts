import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeCapabilities, routeRow, type RouteRow } from '../src/authority/route-capabilities.ts'
import { toolKindOf } from '../src/authority/tool-kinds.ts'
import { verbCapability } from '../src/authority/verb-capabilities.ts'
import { taskdocToolNames } from '../src/agents/taskdoc/taskdoc-tools.ts'
import { rows } from '../src/cli/table.ts'
import { tellaskTools } from '../src/dialog/tellask.ts'
import { mindTools } from '../src/dialog/tree-tools.ts'
import { projectFiles } from './project-files.ts'

/** Routes as src/server writes them: a method and, a line or so later, a path. */
function serverRoutes(): { method: RouteRow['method']; path: string }[] {
  return projectFiles(['src/server'], /(?<!\.test)\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/method: '(get|post|patch|delete)',\s+path: '([^']+)'/g)].map(([, method = '', path = '']) => ({
      method: method as RouteRow['method'],
      path,
    })),
  )
}

test('every route of the server has a capability, and every row that is not planned has a route', (t) => {
  const found = serverRoutes()
  t.diagnostic(`${found.length} routes`)
  assert.ok(found.length > 50, `only ${found.length} routes were found`)
  assert.deepEqual(
    found.filter(({ method, path }) => routeRow(method, path) === null).map(({ method, path }) => `${method} ${path}`),
    [],
  )
  const known = new Set(found.map(({ method, path }) => `${method} ${path}`))
  // The WebSocket is no row of the route table, and the document of the API is added to it later.
  const beside = new Set(['get /v1/live', 'get /v1/openapi.json'])
  assert.deepEqual(
    routeCapabilities
      .map(({ method, path, later }) => (later ? '' : `${method} ${path}`))
      .filter((key) => key !== '' && !known.has(key) && !beside.has(key)),
    [],
  )
})

test('every terminal command has a capability or works on local files', () => {
  assert.ok(rows.length > 50)
  assert.deepEqual(
    rows.map(({ path }) => path).filter((path) => verbCapability(path) === null),
    [],
  )
})

test('every tool of Parley has a kind', (t) => {
  const named = projectFiles(['src/agents/workspace', 'src/building', 'src/agents/message-tool.ts'], /(?<!\.test)\.ts$/).flatMap(
    ({ text }) => [...text.matchAll(/(?:name: |tool\(\s*)'([a-z_]+)'/g)].map(([, name = '']) => name),
  )
  const tools = [...named, ...Object.values(tellaskTools), ...Object.values(mindTools), ...Object.values(taskdocToolNames), 'askHuman']
  for (const verb of ['add', 'replace', 'drop', 'clear']) tools.push(`${verb}_memory`, `${verb}_team_memory`)
  t.diagnostic(`${tools.length} tools`)
  assert.ok(tools.length > 20, `only ${tools.length} tools were found`)
  assert.deepEqual(
    tools.filter((tool) => toolKindOf(tool) === null),
    [],
  )
})
