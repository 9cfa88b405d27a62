import type { CommandFunction } from '../command-row.ts'
import type { ExplainRequest, PolicyExplanation } from '../../shapes/wire.ts'
import { roles } from '../../authority/roles.ts'
import { isNamedKind } from '../../authority/named-call.ts'
import { UsageError } from '../fault.ts'
import { ifServed } from '../connect.ts'
import type { Given } from '../given.ts'
import { explainLocally } from '../local-policy.ts'
import { shortPath } from '../places.ts'
import { readJson } from '../read-json.ts'
import type { Terminal } from '../terminal.ts'

type Found = { explanation: PolicyExplanation; notes: string[] }

export const run: CommandFunction = async (terminal, given) => {
  const { approvals } = terminal.words
  const request = await requestFrom(terminal, given)
  const source = given.on('local')
    ? null
    : await ifServed(terminal, async ({ client, found }): Promise<Found> => {
        const explanation = await client.policy.explain(request)
        const notes = explanation.isByName ? [approvals.byName(explanation.agent)] : []
        return { explanation, notes: [approvals.fromServer(found.url), ...notes] }
      })
  const { explanation, notes } = source ?? (await locally())
  terminal.result(explanation, () => explanation.lines)
  if (!terminal.json) terminal.say(...notes.map((note) => terminal.errPaint.dim(note)))

  async function locally(): Promise<Found> {
    const local = await explainLocally(terminal, request)
    return { explanation: local.explanation, notes: [approvals.fromFile(shortPath(local.file, terminal.cwd))] }
  }
}

async function requestFrom(terminal: Terminal, given: Given): Promise<ExplainRequest> {
  const input = given.text('input')
  const as = given.text('as')
  const words = given.optionalArg(1)
  if (input === undefined && words?.trim().startsWith('{') && !isNamedKind(given.arg(0)))
    throw new UsageError('The input of a tool is given with --input.', `Such as: parley policy explain ${given.arg(0)} --input '${words}'`)
  return {
    tool: given.arg(0),
    text: given.optionalArg(1),
    input: input === undefined ? undefined : await readJson(terminal, '--input', input, '{"repo":"acme/site"}'),
    agent: given.text('agent'),
    as: roles.find((role) => role === as),
    dialog: given.text('dialog'),
    language: terminal.language,
  }
}
