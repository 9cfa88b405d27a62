import type { z } from 'zod'
import type { RouteTable } from '../server/routes/routes.ts'
import { operations } from '../shapes/operations.ts'
import type { CallOptions, Http } from './http.ts'

/** Name of an operation of the API, such as `dialogs.say`. */
export type Operation = RouteTable['operation']

type Schemas<Id extends Operation> = NonNullable<Extract<RouteTable, { operation: Id }>['schemas']>

/** An empty object is inferred as one that may have no field at all, which nothing can be added to. */
type Fields<Value> = string extends keyof Value ? unknown : Value
type Input<Schema> = Schema extends z.ZodType ? Fields<z.input<Schema>> : unknown
type Output<Schema> = Schema extends z.ZodType ? Fields<z.output<Schema>> : unknown

/** Parameters of the path, fields of the query and fields of the body in one object. Numbers of a query are numbers here. */
export type OperationInput<Id extends Operation> = Input<Schemas<Id>['params']> & Output<Schemas<Id>['query']> & Input<Schemas<Id>['body']>

export type OperationResult<Id extends Operation> = Schemas<Id>['response'] extends z.ZodType
  ? z.output<Schemas<Id>['response']>
  : undefined

/** Calls an operation; its input and result are those of the server's route. */
export type Call = <Id extends Operation>(id: Id, input: OperationInput<Id>, options?: CallOptions) => Promise<OperationResult<Id>>

export function caller({ get, send }: Http): Call {
  return (id, input, options) => {
    const { method, path } = operations[id]
    const rest: Record<string, unknown> = { ...(input as object) }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name])
      delete rest[name]
      return encodeURIComponent(value)
    })
    if (method === 'get') return get(url, rest as Record<string, string | number | undefined>, options)
    return send(method === 'post' ? 'POST' : method === 'patch' ? 'PATCH' : 'DELETE', url, method === 'delete' ? undefined : rest, options)
  }
}

export async function listItems<Item>(page: Promise<{ items: Item[] }>): Promise<Item[]> {
  return (await page).items
}
