import { eventually } from '../fixtures/eventually.ts'
import type { ProbedServer } from './probed-server.ts'

/** A project with agents that are the model at this address. `lines` are further settings of each agent. */
export const modelTeam = (
  url: string,
  lines: readonly string[] = [],
  agents: readonly string[] = ['ada'],
  sections = '',
): Record<string, string> => ({
  'parley.yaml': [
    'models:',
    '  emulated:',
    '    provider: openai-compatible',
    `    baseUrl: ${url}`,
    '    model: emulated',
    '    maxOutputTokens: 1000',
    '    contextLength: 100000',
    'team:',
    '  members:',
    ...agents.flatMap((name) => [`    ${name}:`, '      runtime: model', '      about: A colleague.', ...lines]),
    sections,
  ].join('\n'),
})

/**
 * The results of the calls that an obedient model was told to make. Every approval is given at once: what holds then is not
 * the doubt of a person.
 */
export async function results(server: ProbedServer, dialog: string): Promise<string> {
  return eventually(async () => {
    await approveAll(server)
    const events = await server.events(dialog)
    const failed = events.find(({ type }) => type === 'turn.failed')
    if (failed) throw new Error(`the turn failed: ${JSON.stringify(failed.data)}`)
    return events
      .map(({ data }) => JSON.stringify(data))
      .join('\n')
      .match(/"Results: .*/s)?.[0]
  }, `results in ${dialog}`)
}

async function approveAll(server: ProbedServer): Promise<void> {
  for (const question of (await server.must('GET', '/v1/questions')).items)
    await server.ask('POST', `/v1/questions/${question.id}/answer`, { body: { decision: 'once' } })
}
