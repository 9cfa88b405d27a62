import { z } from 'zod'
import { fileLimits, isImageType } from '../../dialogs/rules/message-file.ts'
import { messageFile } from '../../shapes/schemas/responses.ts'
import { id, line } from '../text.ts'
import { plainName } from './file-routes.ts'
import { route } from './route.ts'

/** Files that people attach to messages, and that tools return. */
export const messageFileRoutes = () => [
  route({
    operation: 'files.add',
    summary: `Store a file for a message: the body is its bytes, at most ${fileLimits.bytes}. It is kept for ${fileLimits.unusedHours} hours until a message refers to it`,
    query: z.strictObject({ name: line(fileLimits.nameChars).describe('Its name, as people and agents read it.') }),
    rawBytes: fileLimits.bytes,
    status: 201,
    response: messageFile,
    handle: ({ query, caller, parley, raw }) => parley.files.add({ name: query.name, bytes: raw.body }, caller),
  }),
  route({
    operation: 'files.get',
    summary: 'A file that this dialog refers to, as bytes',
    params: z.strictObject({ id, file: id }),
    status: 200,
    async handle({ params, parley }) {
      const { content, name, mediaType } = await parley.files.read(params.id, params.file)
      // Images are shown; everything else could be a page, and is downloaded.
      const isShown = isImageType(mediaType)
      const headers = new Headers({
        'content-type': isShown ? mediaType : 'application/octet-stream',
        'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${plainName(name)}"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'content-length': String(content.length),
        // The bytes of an id never change.
        'cache-control': 'private, max-age=86400, immutable',
      })
      return { raw: new Response(Buffer.from(content), { headers }) }
    },
  }),
]
