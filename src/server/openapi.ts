import { z } from 'zod'
import { scopeFor } from '../access/principal.ts'
import { failed } from './answers.ts'
import type { Route } from './route.ts'

type Schema = Record<string, unknown>

/** The document of the API, made from the same table that routes requests and the same schemas that check them. */
export function openApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const row of routes) {
    const operations = (paths[row.path] ??= {})
    operations[row.method] = operation(row)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      description: 'Events live: WebSocket at /v1/live. Errors are always `{ "error": { "code", "message", "hint" } }`.',
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: schemaOf(failed, 'output') } },
    paths,
  }
}

function operation(row: Route): object {
  const refusal = {
    description: 'Refused: the code says why, the hint what to do',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  const answer = row.answer ? { content: { 'application/json': { schema: schemaOf(row.answer, 'output') } } } : {}
  return {
    summary: row.summary,
    operationId: `${row.method}${row.path.replace(/\{\w+\}/g, 'one').replace(/[^A-Za-z]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    security: row.capability === 'open' ? [] : [row.capability, row.or ?? []].flat().map((one) => ({ token: [scopeFor(one)] })),
    parameters: [...parameters(row.params, 'path'), ...parameters(row.query, 'query'), ...idempotency(row)],
    ...(row.body ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(row.body, 'input') } } } } : {}),
    responses: { [row.status]: { description: row.status === 204 ? 'Done' : 'As asked', ...answer }, '4XX': refusal, '5XX': refusal },
  }
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Schema>; required?: string[] }
  return Object.entries(properties).map(([name, one]) => ({ name, in: where, required: required.includes(name), schema: one }))
}

const idempotency = ({ method, capability }: Route): object[] =>
  method === 'get' || capability === 'open'
    ? []
    : [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 200 },
          description: 'A repeat with the same key gives the first answer and changes nothing.',
        },
      ]

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return rest
}
