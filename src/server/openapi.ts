import { z } from 'zod'
import { scopeFor } from './auth/principal.ts'
import { components } from '../shapes/schemas/component.ts'
import type { Route } from './routes/route.ts'

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
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: componentSchemas() },
    paths,
  }
}

function operation(row: Route): object {
  const refusal = {
    description: 'Refused: the code names the reason, the hint the next step',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  const answer = row.response ? { content: { 'application/json': { schema: reference(row.response) } } } : {}
  return {
    summary: row.summary,
    ...(row.isDeprecated && { deprecated: true }),
    operationId: row.operation,
    tags: [row.operation.split('.')[0]],
    security: row.capability === 'open' ? [] : [row.capability, row.or ?? []].flat().map((one) => ({ token: [scopeFor(one)] })),
    parameters: [...parameters(row.params, 'path'), ...parameters(row.query, 'query'), ...idempotency(row)],
    ...(row.body ? { requestBody: { required: true, content: { 'application/json': { schema: buildSchema(row.body, 'input') } } } } : {}),
    responses: { [row.status]: { description: row.status === 204 ? 'Done' : 'As asked', ...answer }, '4XX': refusal, '5XX': refusal },
  }
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = buildSchema(schema, 'input') as { properties?: Record<string, Schema>; required?: string[] }
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
          description: 'A repeat with the same key returns the first response and changes nothing.',
        },
      ]

const address = (id: string): string => `#/components/schemas/${id}`

/** Every named shape; they refer to each other by name. */
function componentSchemas(): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(components, { io: 'output', unrepresentable: 'any', uri: address })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutHead(schema)]))
}

function reference(schema: z.ZodType): Schema {
  const id = components.get(schema)?.id
  return id === undefined ? buildSchema(schema, 'output') : { $ref: address(id) }
}

function buildSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return withoutHead(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
}

function withoutHead(schema: object): Schema {
  const { $schema: _, $id: __, ...rest } = schema as Schema
  return rest
}
