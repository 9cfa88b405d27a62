import type { TerminalWords } from '../words/en/terminal.ts'

const yaml = ({ settings, orModel }: TerminalWords['starter']): string => `# ${settings}
team:
  members:
    ada:
      runtime: scripted
      module: ./agent.ts
# ${orModel}
`

/** It imports nothing, so that it runs beside an installed Parley and beside a clone. */
const agent = ({ agent: lead, about, question, options, planned, declined }: TerminalWords['starter']): string => `// ${lead}
export default {
  name: 'ada',
  about: '${about}',
  *reply({ context }: { context: { kind: string; outcome?: { answers?: Record<string, string> } }[] }) {
    const asked = context.findLast(({ kind }) => kind === 'question')
    if (!asked) {
      const options = [
        { value: 'sea', label: '${options.sea}' },
        { value: 'hills', label: '${options.hills}' },
      ]
      yield { type: 'question', ask: { text: '${question}', items: [{ id: 'goal', text: '${question}', kind: 'choice', options }] } }
      return
    }
    const goal = asked.outcome?.answers?.['goal']
    yield { type: 'text', text: goal ? \`${planned('${goal}')}\` : '${declined}' }
  },
}
`

const keys = ({ keys: where, noKeys }: TerminalWords['starter']): string => `# ${where}
# ${noKeys}
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
# TELEGRAM_BOT_TOKEN=
`

/** Files of `parley init`, by name. */
export const starterFiles = (words: TerminalWords['starter']): Readonly<Record<string, string>> => ({
  'parley.yaml': yaml(words),
  'agent.ts': agent(words),
  '.env.example': keys(words),
})
