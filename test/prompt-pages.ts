import { readChat, lastText, modelTeam, type Request, wholeText } from './dialogs/model-scene.ts'
import { type Brain, call, gate, text, withTeam, you } from './dialogs/team-scene.ts'

type Page = { name: string; text: string }

const abouts = { ada: 'writes for the magazine', researcher: 'finds and checks facts' }
const minuteMs = 60_000

function toPage(name: string, about: string, request: Request | undefined): Page {
  if (!request) throw new Error(`${name}: there is no request`)
  const messages = readChat(request).map(({ role, content, tool_calls: calls }) => {
    const callList = (calls ?? []).map((each) => {
      const { function: wanted } = each as { function: { name: string; arguments: string } }
      return `${wanted.name}(${wanted.arguments})`
    })
    return `### ${role}\n\n\`\`\`text\n${[content ?? '', ...callList].filter((line) => line !== '').join('\n')}\n\`\`\``
  })
  const tools = request.prompt.tools.map((tool) => JSON.stringify(tool)).join('\n')
  const page = [
    `# ${name[0]?.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`,
    `Printed by \`npm run prompts\`. ${about}`,
    `## System prompt\n\n\`\`\`text\n${request.prompt.system}\n\`\`\``,
    `## Tools\n\n\`\`\`text\n${tools}\n\`\`\``,
    '## Messages',
    ...messages,
  ]
  return { name, text: `${page.join('\n\n')}\n` }
}

const hasSpoken = (input: Parameters<typeof readChat>[0]): boolean => readChat(input).some(({ role }) => role === 'assistant')

const delegates = (content: string): Brain =>
  function* (input) {
    const read = wholeText(input)
    if (read.includes('<ask-back') && !read.includes('Delivered to'))
      return yield call('reply', { to: 'b1', text: 'Europe.', status: 'done' })
    if (hasSpoken(input)) return yield text('Here are the facts.')
    yield text('I ask the researcher.')
    yield call('tellask', { targetAgentId: '@researcher', sessionSlug: 'facts', tellaskContent: content })
  }

async function rootAndSide(): Promise<Page[]> {
  const model = modelTeam({
    ada: delegates('Find three facts about spring. One line each.'),
    *researcher(input) {
      if (!hasSpoken(input)) return yield call('tellaskBack', { tellaskContent: 'For which country?' })
      yield call('reply', { text: '1. Days grow longer.\n2. Birds return.\n3. Trees bloom.', status: 'done' })
    },
  })
  model.around.abouts = abouts
  model.around.memories = '# What you remember\n\n## style.md\n\nShort sentences.'
  return withTeam(model.team, async ({ begin }) => {
    await begin('Write a short text about spring.')
    const side = model.requests.filter(({ agent }) => agent === 'researcher')
    const root = model.requests.filter(({ agent }) => agent === 'ada')
    return [
      toPage('root-with-a-person', 'A person writes to a root dialog for the first time.', root[0]),
      toPage('side-with-a-request', 'A side dialog begins with the request of its caller.', side[0]),
      toPage('ask-back', 'A teammate asks back; the caller answers with `reply`.', root[1]),
    ]
  })
}

async function forcedCourse(): Promise<Page> {
  const model = modelTeam({
    *ada(input) {
      if (lastText(input).includes('Plan the launch')) {
        yield call('add_reminder', { content: 'Launch is on Friday. Next step: write the announcement.' })
        yield call('tellask', { targetAgentId: '@researcher', sessionSlug: 'venues', tellaskContent: 'Find three venues for 40 people.' })
        return yield call('askHuman', { tellaskContent: 'Which printer do we use?' })
      }
      yield text('I look into it.')
    },
    *researcher() {
      yield call('askHuman', { tellaskContent: 'In which city?' })
    },
  })
  model.around.abouts = abouts
  return withTeam(model.team, async ({ begin, say, parley, clock }) => {
    const root = await begin('Plan the launch of our magazine.')
    await clock.advance(20 * minuteMs)
    await say(root, 'And keep it cheap.')
    await clock.advance(15 * minuteMs)
    await parley.dialogs.freshStart(root, you)
    await say(root, 'What is still open?')
    return toPage(
      'forced-course',
      'A person pressed Fresh start. When the context was full, the last note says so.',
      model.requests.filter(({ dialog }) => dialog === root).at(-1),
    )
  })
}

async function stoppedAndContinued(): Promise<Page> {
  const never = gate()
  const model = modelTeam({
    async *ada(input, signal) {
      if (wholeText(input).includes('lets you continue')) return yield text('Done.')
      yield { type: 'delta', text: 'I begin with the first chapter.' }
      await Promise.race([never.passed, new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))])
    },
  })
  model.around.abouts = abouts
  return withTeam(model.team, async ({ begin, parley, clock }) => {
    const root = await begin('Write the report.')
    await parley.dialogs.stop(root, you)
    await clock.advance(120 * minuteMs)
    await parley.dialogs.resume(root, you)
    await clock.advance(500)
    return toPage(
      'stopped-and-continued',
      'A person stopped the agent while it wrote and let it continue two hours later.',
      model.requests.at(-1),
    )
  })
}

/** The requests to a model in five typical situations. `npm run prompts` writes them into docs/prompts. */
export const promptPages = async (): Promise<Page[]> => [...(await rootAndSide()), await forcedCourse(), await stoppedAndContinued()]
