import { z } from 'zod'
import { can } from '../access/principal.ts'
import { ParleyError } from '../errors.ts'
import type { Messaging } from '../ports/messaging.ts'
import { channelName } from './message-body.ts'
import { type Route, route } from './route.ts'
import { line } from './text.ts'

export const fileLimits = { idChars: 500 } as const

const fileId = line(fileLimits.idChars)
  .refine((value) => value !== '', 'is empty')
  .describe('As the line in the dialog names it, after the name of the account.')

/** What people sent with their messages. It comes from strangers: it is handed over as bytes to keep, never to be shown as a page. */
export function fileRoutes(messaging: Messaging | undefined): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/channels/{name}/files/{fileId}',
      summary: 'A file that somebody sent in a chat app, as its bytes',
      params: z.strictObject({ name: channelName, fileId }),
      status: 200,
      async handle({ params, signal, principal }) {
        // Which dialog a file belongs to is not recorded, so it is shown to those who see every dialog.
        if (!can(principal, 'read.all')) throw new ParleyError('not_found', { path: 'this file' })
        if (!messaging) throw new ParleyError('no_channels')
        const { body, name, sizeBytes } = await messaging.files.get(params.name, params.fileId, signal)
        const headers = new Headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${plainName(name ?? 'file')}"`,
          'content-security-policy': "default-src 'none'; sandbox",
        })
        if (sizeBytes !== undefined) headers.set('content-length', String(sizeBytes))
        return { raw: new Response(body, { headers }) }
      },
    }),
  ]
}

/** A name that cannot end the header it stands in. */
const plainName = (name: string): string => name.replaceAll(/[^\w.-]+/g, '_').slice(-100) || 'file'
