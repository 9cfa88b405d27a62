import { z } from 'zod'
import { ParleyError } from '../../errors.ts'
import * as responses from '../../shapes/schemas/settings-responses.ts'
import type { ServerSettings } from '../../shapes/settings.ts'
import { line } from '../text.ts'
import { nothing, route } from './route.ts'

export const settingsRouteLimits = { changes: 50, pathKeys: 6, keyChars: 100, revisionChars: 64, secretChars: 4_000 } as const

const { changes, pathKeys, keyChars, revisionChars, secretChars } = settingsRouteLimits

const change = z.strictObject({
  revision: line(revisionChars).describe('The one that was read.'),
  changes: z
    .array(
      z.strictObject({
        path: z.array(line(keyChars)).min(1).max(pathKeys).describe('Such as ["models", "main", "model"].'),
        value: z.unknown().describe('null takes the setting out.'),
      }),
    )
    .min(1)
    .max(changes),
})

const entry = z.strictObject({ name: line(keyChars) })

/** Settings of parley.yaml for the owner. A server without the file, such as one in a library, says so. */
export const settingsRoutes = (settings: ServerSettings | undefined) => {
  const ours = (): ServerSettings => {
    if (!settings) throw new ParleyError('settings_off')
    return settings
  }
  return [
    route({
      operation: 'settings.get',
      summary: 'Settings of parley.yaml that the page can change, without secrets',
      status: 200,
      response: responses.settings,
      handle: async () => ours().get(),
    }),
    route({
      operation: 'settings.preview',
      summary: 'What a change would do to parley.yaml. Nothing is written',
      body: change,
      status: 200,
      response: responses.settingsPreview,
      handle: async ({ body }) => ours().preview(body),
    }),
    route({
      operation: 'settings.change',
      summary: 'Change parley.yaml, keep its comments, and apply it. Refused when the file has changed since it was read',
      body: change,
      status: 200,
      response: responses.settings,
      handle: async ({ body }) => ours().change(body),
    }),
    route({
      operation: 'settings.keepSecret',
      summary: 'Store a key or token for parley.yaml, which names it as ${NAME}. It is never returned',
      body: z.strictObject({
        name: z.string().regex(/^[A-Z][A-Z0-9_]{2,99}$/, 'expected a name such as OPENAI_API_KEY'),
        value: z
          .string()
          .min(1)
          .max(secretChars)
          .regex(/^[\u0021-\u007e]+$/, 'has spaces, line breaks or characters that no key has'),
      }),
      status: 200,
      response: responses.settings,
      handle: async ({ body }) => ours().keepSecret(body.name, body.value),
    }),
    route({
      operation: 'settings.testModel',
      summary: 'Try a model with three short requests, as parley model test does',
      params: entry,
      body: nothing,
      status: 200,
      response: responses.modelCheck,
      handle: async ({ params, signal }) => ours().testModel(params.name, signal),
    }),
    route({
      operation: 'settings.checkChannel',
      summary: 'Ask a chat platform which account its token belongs to. Nothing is sent to people',
      params: entry,
      body: nothing,
      status: 200,
      response: responses.channelCheck,
      handle: async ({ params }) => ours().checkChannel(params.name),
    }),
  ]
}
