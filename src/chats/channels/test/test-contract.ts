import { test } from 'node:test'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { channelContract, type ChannelSubject } from '../../../testing/channel-contract.ts'

/** One test for each case of the contract; requests are compared with the platform's schema where that is here. */
export function testContract(subject: ChannelSubject): void {
  const { kind } = subject.kind
  const schema = platformSchema(kind)
  for (const { id, behaviour, run } of channelContract)
    test(`${kind} ${id}: ${behaviour}`, async (t) => {
      if (!schema && id === 'render:accepted')
        t.diagnostic('the platform contracts (../shared/platforms) are not here: only the shape is checked')
      await run({ ...(schema && { validate: ({ operation, body }) => schema.validate(operation, body) }), ...subject })
    })
}
