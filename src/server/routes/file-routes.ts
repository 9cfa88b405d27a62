import { z } from 'zod'
import { can } from '../auth/principal.ts'
import { ParleyError } from '../../errors.ts'
import type { Messaging } from '../../shapes/messaging.ts'
import { channelName } from './message-body.ts'
import { route } from './route.ts'
import { line } from '../text.ts'

export const fileLimits = { idChars: 500 } as const

const fileId = line(fileLimits.idChars)
  .refine((value) => value !== '', 'is empty')
  .describe('As the line in the dialog names it, after the name of the account.')

/** Files that people sent. They come from strangers: served as downloads, never shown as a page. */
export function fileRoutes(messaging: Messaging | undefined) {
  return [
    route({
      operation: 'channels.file',
      summary: 'A file received in a chat app, as bytes',
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
export const plainName = (name: string): string => name.replaceAll(/[^\w.-]+/g, '_').slice(-100) || 'file'
