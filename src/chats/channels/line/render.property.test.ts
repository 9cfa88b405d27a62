import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { findProblem } from '../../../testing/line-emulator/line-rules.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { lineAddress } from './address.ts'
import { lineRenderer } from './render.ts'

const schema = platformSchema('line')

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, address: string): string[] {
  return present(message, lineRenderer, { address }, previewTokens).requests.flatMap(({ operation, body, covers }) => {
    const messages = (body?.['messages'] ?? []) as unknown[]
    const problem = findProblem(messages)
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(problem === null ? [] : [problem]),
      ...(covers === messages.length ? [] : ['covers is not the number of messages']),
    ]
  })
}

testRenderer('LINE', [lineAddress.sample], findFaults)
