import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { AdaptedBlock } from '../../../ports/channel.ts'
import { findProblem, type TeamsActivity } from '../../../testing/teams-emulator/teams-rules.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { adapt } from '../../presentation/adapt.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { teamsAddress } from './address.ts'
import { teamsCapabilities } from './capabilities.ts'
import { renderTeams } from './render.ts'

const schema = platformSchema('teams')

/** Rules of the platform's contract, those that no schema holds, and words that are not sent. */
function findFaults(message: ReplyPayload, plain: boolean): string[] {
  const { adapted } = adapt(message, teamsCapabilities.presentation, previewTokens)
  const { requests } = renderTeams(adapted, { address: teamsAddress.sample, plain })
  return requests.flatMap(({ operation, body }, index) => {
    const problem = findProblem(body as TeamsActivity)
    const sent = JSON.stringify(body)
    const words = (adapted.parts[index]?.blocks ?? []).flatMap(listTexts).flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? [])
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(problem === null ? [] : [problem]),
      ...words.filter((word) => !sent.includes(word)).map((word) => `"${word}" is not sent`),
    ]
  })
}

/** Texts that are shown to the letter, and labels. */
function listTexts(block: AdaptedBlock): string[] {
  if (block.type === 'title') return [block.text]
  if (block.type === 'text' || block.type === 'context') return block.format === 'plain' ? [block.text] : []
  if (block.type === 'buttons') return block.rows.flat().map(({ label }) => label)
  return block.type === 'select' ? [block.placeholder, ...block.options.map(({ label }) => label)] : []
}

testRenderer('Teams', [false, true], findFaults)
