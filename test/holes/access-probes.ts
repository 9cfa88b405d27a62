import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { eventually } from '../fixtures/eventually.ts'
import { obedientModel } from '../fixtures/obedient-model.ts'
import { modelTeam, results } from './model-team.ts'
import { type Finding, type Probe, type ProbedServer, type Version, withServer } from './probed-server.ts'

/** The model calls `read_file` on every file of the data folder, in a project that contains it. */
async function readDataFolder(version: Version): Promise<Finding> {
  const model = await obedientModel()
  const folder = 'kept'
  const files = modelTeam(model.url, ['      toolsets: [ws_read, ws_mod]', '      writeDirs: ["**"]'])
  try {
    return await withServer(version, { files, data: folder }, async (server) => {
      const names = readdirSync(server.data).filter((name) => !name.includes('.db'))
      const secrets = names.map((name) => readFileSync(join(server.data, name), 'utf8').trim()).filter((text) => text.length > 20)
      const calls = names.map((name) => `call read_file ${JSON.stringify({ path: `${folder}/${name}` })}`)
      const text = await results(server, await server.say(calls.join('\n')))
      const read = secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
      return { open: read.length > 0, seen: `${read.length} of ${secrets.length} secret files read` }
    })
  } finally {
    await model.close()
  }
}

/** A stranger in Telegram, an open question of the agent, and tokens with one scope. */
async function withStranger(version: Version, use: (parts: StrangerParts) => Promise<Finding>): Promise<Finding> {
  const telegram = await telegramEmulator()
  const channel = `channels:\n  telegram:\n    token: ${JSON.stringify(telegram.token)}\n    apiRoot: ${telegram.url}\n`
  try {
    return await withServer(version, { files: { 'parley.yaml': channel } }, async (server) => {
      const person = telegram.person({ first_name: 'Eve', language_code: 'en' })
      const chat = telegram.privateChat(person)
      telegram.say(chat, person, 'hello')
      const code = await telegram.until(
        () =>
          telegram
            .messages(chat)
            .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])
            .find(Boolean),
        'a code',
      )
      const { id: dialog } = await server.must('POST', '/v1/dialogs', { body: {} })
      return use({ server, telegram, person, chat, code, dialog })
    })
  } finally {
    await telegram.close()
  }
}

type StrangerParts = {
  server: ProbedServer
  telegram: Awaited<ReturnType<typeof telegramEmulator>>
  person: ReturnType<Awaited<ReturnType<typeof telegramEmulator>>['person']>
  chat: number
  code: string
  dialog: string
}

const says = (reply: { status: number; body: { error?: { code: string } } | null }): string =>
  `${reply.status}${reply.body?.error ? ` ${reply.body.error.code}` : ''}`

export const accessProbes: readonly Probe[] = [
  {
    hole: 'A file tool reads the owner’s token: data folder inside the project, set by `--data`',
    tests: '`test/data-folder.e2e.test.ts`',
    run: (version) => readDataFolder(version),
  },
  {
    hole: 'A token with `answer` binds a stranger’s chat to any dialog',
    tests: '`src/server/routes/route-capabilities.test.ts`',
    run: (version) =>
      withStranger(version, async ({ server, code, dialog }) => {
        const reply = await server.ask('POST', '/v1/pairings/accept', { token: await server.token('answer'), body: { code, dialog } })
        const bound = (await server.must('GET', '/v1/pairings')).items.some((one) => one.dialog === dialog)
        return { open: bound, seen: says(reply) }
      }),
  },
  {
    hole: 'A token that may chat and send answers a question through a button that it sends to a chat',
    tests: '`src/server/routes/route-capabilities.test.ts`, `messaging-routes.test.ts`',
    run: (version) =>
      withStranger(version, async ({ server, telegram, person, chat, code }) => {
        await server.must('POST', '/v1/pairings/accept', { body: { code } })
        // The scripted demo agent asks a question with options.
        const asking = await server.say('Help me plan a birthday party')
        const question = await eventually(async () => {
          const { items } = await server.must('GET', '/v1/questions')
          return items.find((one) => one.dialog === asking)
        }, 'a question of the demo')
        const option = JSON.stringify(question).match(/"options":\[\{[^\]]*?"value":"([^"]+)"/)?.[1] ?? 'yes'
        const action = { type: 'question', questionId: question.id, optionValue: option }
        const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Weather', action }] }] }
        const body = { channel: 'telegram', target: String(chat), presentation }
        const token = await server.token('chat', 'send').catch(() => server.token('chat'))
        const reply = await server.ask('POST', '/v1/messages', { token, body })
        if (reply.status >= 300) return { open: false, seen: says(reply) }
        const sent = await telegram.until(
          () => telegram.messages(chat).find((one) => one.keyboard.flat().some(({ text }) => text === 'Weather')),
          'the button',
        )
        telegram.tap(chat, person, sent.id, 'Weather')
        const answered = await eventually(
          async () => (await server.events(asking)).some(({ type }) => type === 'question.answered'),
          'the answer by the tap',
        )
        return { open: answered, seen: `${says(reply)}, then the tap of a stranger answers the question` }
      }),
  },
  {
    hole: 'A token with `read` and `chat` reads the operator’s events of a build (`include=all`)',
    tests: '`src/server/routes/route-capabilities.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const { token } = await server.must('POST', '/v1/tokens', { body: { name: 'weak', scopes: ['read', 'chat'] } })
        const build = await server.must('POST', '/v1/builds', { token, body: { prompt: 'A page about tea' } })
        const reply = await server.ask('GET', `/v1/builds/${build.build_id}/events?include=all`, { token })
        return { open: reply.status === 200, seen: says(reply) }
      }),
  },
  {
    hole: 'A cookie works after sign-out',
    tests: '`src/server/auth/sessions.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const signedIn = await server.signIn({ origin: server.url })
        const headers = { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '', origin: server.url }
        const before = await server.ask('GET', '/v1/dialogs', { token: null, headers })
        const out = await server.ask('DELETE', '/v1/session', { token: null, headers })
        const after = await server.ask('GET', '/v1/dialogs', { token: null, headers })
        if (before.status !== 200 || out.status >= 300) throw new Error(`sign-in ${before.status}, sign-out ${out.status}`)
        return { open: after.status === 200, seen: `the old cookie gets ${says(after)}` }
      }),
  },
  {
    hole: 'Failed sign-ins from a page of another site keep the owner out',
    tests: '`src/server/authentication.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const { url } = await server.must('POST', '/v1/links', { body: {} })
        const attempt = (key: string, origin: string): ReturnType<ProbedServer['ask']> =>
          server.ask('POST', '/v1/session', { token: null, body: { key }, headers: { origin } })
        for (let count = 0; count < 200; count += 1) await attempt('x'.repeat(40), 'https://evil.example')
        const owner = await attempt(url.split('#k=')[1] ?? '', server.url)
        return { open: owner.status !== 200, seen: `a valid link gets ${says(owner)} after 200 attempts` }
      }),
  },
  {
    hole: 'A sign-in link ends up in a log, because `serve` prints it without a terminal',
    tests: '`src/cli/conventions.e2e.test.ts`, `at-a-terminal.e2e.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const hasLink = server.printed.includes('#k=')
        return { open: hasLink, seen: hasLink ? 'a link is printed' : 'no link is printed' }
      }),
  },
  {
    hole: 'A token with `chat` claims that its message came from Telegram (`x-parley-via`)',
    tests: '`src/server/server.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const token = await server.token('chat')
        const { id } = await server.must('POST', '/v1/dialogs', { token, body: {} })
        const headers = { 'x-parley-via': 'telegram' }
        await server.ask('POST', `/v1/dialogs/${id}/messages`, { token, body: { text: 'hello' }, headers })
        const said = (await server.events(id)).find(({ type }) => type === 'message.said')
        if (!said) throw new Error('the message is not there')
        return { open: said.data.via === 'telegram', seen: `stored as ${said.data.via}` }
      }),
  },
  {
    hole: '`doctor` runs code that a `parley.yaml` in a parent folder names, which other accounts can write',
    tests: '`src/cli/config-trust.e2e.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        mkdirSync(join(server.dir, 'planted/project'), { recursive: true })
        server.write('planted/parley.yaml', 'team:\n  members:\n    eve:\n      runtime: scripted\n      module: ./eve.mjs\n')
        server.write(
          'planted/eve.mjs',
          `import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('./ran', import.meta.url), '')\nexport default {}\n`,
        )
        chmodSync(join(server.dir, 'planted'), 0o777)
        const text = server.cli(['doctor'], { cwd: 'planted/project' })
        if (text === '') throw new Error('doctor printed nothing')
        const ran = existsSync(join(server.dir, 'planted/ran'))
        return { open: ran, seen: ran ? 'the module ran' : 'nothing ran' }
      }),
  },
]
