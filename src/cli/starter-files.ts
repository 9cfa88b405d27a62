import type { Language } from '../shapes/language.ts'

const envExample = `# Set these where the server runs, such as: ANTHROPIC_API_KEY=… parley serve
# The agent in agent.ts needs none of them. parley channels add stores tokens of chat apps by itself.
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
# TELEGRAM_BOT_TOKEN=
`

/** Files of `parley init`. The agent imports nothing, so that it runs beside an installed Parley and beside a clone. */
export const starterFiles: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    'parley.yaml': `# Settings: docs/guides/quickstart.md. Checked by: parley doctor
team:
  members:
    ada:
      runtime: scripted
      module: ./agent.ts
# A model instead of the module: parley model set
`,
    'agent.ts': `// An agent is one function from the dialog so far to what comes next. It keeps no state of its own.
export default {
  name: 'ada',
  about: 'Plans a trip, after asking where to.',
  *reply({ context }: { context: { kind: string; outcome?: { answers?: Record<string, string> } }[] }) {
    const asked = context.findLast(({ kind }) => kind === 'question')
    if (!asked) {
      const options = [
        { value: 'sea', label: 'To the sea' },
        { value: 'hills', label: 'To the hills' },
      ]
      yield { type: 'question', ask: { text: 'Where to?', items: [{ id: 'goal', text: 'Where to?', kind: 'choice', options }] } }
      return
    }
    const goal = asked.outcome?.answers?.['goal']
    yield { type: 'text', text: goal ? \`Then it is the \${goal}. Change agent.ts and ask me again.\` : 'Then we stay at home.' }
  },
}
`,
    '.env.example': envExample,
  },
  zh: {
    'parley.yaml': `# 设置说明：docs/guides/zh/quickstart.md。检查：parley doctor
team:
  members:
    ada:
      runtime: scripted
      module: ./agent.ts
# 用模型代替这个模块：parley model set
`,
    'agent.ts': `// 代理是一个函数：输入到目前为止的对话，输出接下来的内容。它自己不保存状态。
export default {
  name: 'ada',
  about: '先问去哪里，再规划旅行。',
  *reply({ context }: { context: { kind: string; outcome?: { answers?: Record<string, string> } }[] }) {
    const asked = context.findLast(({ kind }) => kind === 'question')
    if (!asked) {
      const options = [
        { value: '海边', label: '去海边' },
        { value: '山里', label: '去山里' },
      ]
      yield { type: 'question', ask: { text: '去哪里？', items: [{ id: 'goal', text: '去哪里？', kind: 'choice', options }] } }
      return
    }
    const goal = asked.outcome?.answers?.['goal']
    yield { type: 'text', text: goal ? \`那就去\${goal}。修改 agent.ts 后再问我。\` : '那就待在家里。' }
  },
}
`,
    '.env.example': envExample,
  },
}
