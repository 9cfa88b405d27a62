import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DialogDetail, SessionView, TokenView } from '../shapes/wire.ts'
import { modelEmulator, type ModelEmulator } from '../testing/model-emulator.ts'
import { cliFolder } from './testing/spawned.ts'

const code = (err: string): string => (JSON.parse(err) as { error: { code: string } }).error.code

describe('ways of calling it', () => {
  const cli = cliFolder()
  after(() => cli.close())

  test('wrong calls end with 2, say what was meant and where to read on', async () => {
    const command = await cli.run('snd', 'hi')
    assert.equal(command.code, 2)
    assert.equal(command.out, '')
    assert.match(command.err, /Unknown command 'snd'\. Did you mean send\?\n.*parley --help/)
    const sub = await cli.run('dialogs', 'lst')
    assert.equal(sub.code, 2)
    assert.match(sub.err, /Did you mean one of list, ls\?\n.*parley dialogs --help/)
    const flag = await cli.run('dialogs', 'list', '--jsn')
    assert.equal(flag.code, 2)
    assert.match(flag.err, /Unknown option '--jsn'\. Did you mean --json\?\n.*parley dialogs list --help/)
    const missing = await cli.run('send')
    assert.equal(missing.code, 2)
    assert.match(missing.err, /Missing required argument 'text'/)
    assert.equal((await cli.run('version', 'extra')).code, 2)
    assert.equal((await cli.run('dialogs', 'list', '--limit', 'many')).code, 2)
    assert.equal((await cli.run('dialogs', 'list', '--status', 'asleep')).code, 2)
    const scope = await cli.run('token', 'create', 'ci', '--scope', 'read', '--scope', 'bogus')
    assert.equal(scope.code, 2)
    assert.match(scope.err, /'bogus' is invalid[\s\S]*read, chat, answer, approve, send, pair, admin/)
    assert.equal((await cli.run('dialogs')).code, 2)
  })

  test('under --json a wrong call is a document on stderr', async () => {
    const { code: exit, out, err } = await cli.run('dialogs', 'list', '--jsn', '--json')
    assert.equal(exit, 2)
    assert.equal(out, '')
    assert.equal(code(err), 'usage')
  })

  test('a port, a value and a file that cannot be used get words', async () => {
    for (const command of ['serve', 'demo']) {
      const port = await cli.run(command, '--port', '99999')
      assert.deepEqual([port.code, port.out], [2, ''])
      assert.match(port.err, /'99999' is invalid\. It must be a whole number from 0 to 65535\.\n/)
    }
    for (const [path, value, why] of [
      ['server.port', 'many', 'it must be a port from 0 to 65535'],
      ['server.port', '70000', 'it must be at most 65535'],
      ['limits.concurrency', '0', 'it must be at least 1'],
      ['server.origins', '[nonsense]', 'it must be an address such as https://example.org'],
      ['models.m', '{ provider: other, model: x }', 'it must be one of "openai-compatible", "anthropic"'],
      ['server.prot', '5', 'the key "prot" is not known. Did you mean "port"?'],
    ] as const) {
      const { code: exit, err } = await cli.run('config', 'set', path, value)
      assert.equal(exit, 1)
      assert.ok(err.includes(`: ${why}${why.endsWith('?') ? '' : '.'}\n`), err)
    }
    assert.ok(!existsSync(join(cli.dir, 'parley.yaml')), 'nothing is written')
    const host = await cli.run('serve', '--host', '127.0.0.999', '--port', '0')
    assert.match(host.err, /cannot listen on 127\.0\.0\.999/)
  })

  test('a file named with --config has to exist', async () => {
    const { code: exit, out, err } = await cli.run('serve', '--config', 'typo/parley.yaml', '--port', '0')
    assert.deepEqual([exit, out], [2, ''])
    assert.match(err, /There is no file .*typo\/parley\.yaml\.\n.*Check the path after --config/)
    assert.ok(!existsSync(join(cli.dir, 'typo')), 'no data folder is made beside the typo')
  })

  test('a default agent that cannot be used is not replaced by another one', async () => {
    const file = join(cli.dir, 'default.yaml')
    writeFileSync(file, 'team: { members: { bob: { runtime: model }, ada: { runtime: scripted } } }\n')
    const { code: exit, out, err } = await cli.run('serve', '--config', file, '--port', '0')
    assert.deepEqual([exit, out], [1, ''])
    assert.match(err, /default agent bob cannot be used: .*team\.members\.bob\.model: no model is set up \(parley model set\)\.\n/)
  })

  test('no server: 3, and the next command', async () => {
    const { code: exit, err } = await cli.run('inbox', 'list')
    assert.equal(exit, 3)
    assert.match(err, /No Parley server answers[\s\S]*parley serve/)
    const inClone = await cli.with({ env: { npm_lifecycle_event: 'parley' } }, 'inbox', 'list')
    assert.match(inClone.err, /npm run parley -- serve/)
    assert.doesNotMatch(inClone.err, /(?<!npm run )parley [a-z]/)
    const doctor = await cli.with({ env: { npm_lifecycle_event: 'parley' } }, 'doctor')
    assert.match(doctor.out, /→ npm run parley -- serve/)
    assert.doesNotMatch(doctor.out, /→ parley [a-z]/)
    assert.equal((await cli.run('inbox', 'list', '--url', 'http://127.0.0.1:9', '--json')).code, 3)
    assert.equal((await cli.run('inbox', 'list', '--url', 'nonsense')).code, 2)
  })

  test('npm run parley: settings and data are those of the folder the person is in', async () => {
    const runner = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url))
    const where = async (script: string): Promise<string> => {
      const env = { ...process.env, npm_lifecycle_event: script, INIT_CWD: cli.dir }
      const { stdout } = await promisify(execFile)(process.execPath, [runner, 'src/cli/main.ts', 'config', 'where', '--json'], { env })
      return (JSON.parse(stdout) as { config: string }).config
    }
    assert.equal(await where('parley'), join(cli.dir, 'parley.yaml'))
    assert.equal(await where('bench'), join(process.cwd(), 'parley.yaml'))
  })

  test('help is a result; it loads neither server nor models', async () => {
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process.stderr.write('LOADED ' + url + '\\n'); return next(url, context) } })`
    const options = { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` } }
    for (const args of [['--help'], ['dialogs', 'list', '-h']]) {
      const { code: exit, out, err } = await cli.with(options, ...args)
      assert.equal(exit, 0)
      assert.match(out, /Usage: parley/)
      const loaded = err.split('\n').filter((line) => line.startsWith('LOADED'))
      assert.ok(loaded.length > 10)
      assert.deepEqual(
        loaded.filter((url) =>
          /\/(server|store|agents|client|commands)\/|\/app\/(?!config\/installed-package)|node_modules\/(ai|@ai-sdk|hono|zod|yaml|ws|@clack)\//.test(
            url,
          ),
        ),
        [],
      )
    }
  })

  test('explain, version and completion', async () => {
    assert.match((await cli.run('explain', 'server_unreachable')).out, /No Parley server answers at <url>[\s\S]*exit code 3/)
    const typo = await cli.run('explain', 'server_unreachabel')
    assert.equal(typo.code, 2)
    assert.match(typo.err, /Did you mean server_unreachable\?/)
    const { parley, server } = await cli.json<{ parley: string; server: null }>('version')
    assert.match(parley, /^\d+\.\d+\.\d+$/)
    assert.equal(server, null)
    assert.equal((await cli.run('--version')).out.trim(), parley)
    assert.match((await cli.run('completion', 'bash')).out, /complete/)
    assert.match((await cli.run('complete', '--', 'dialogs', 'l')).out, /^list\t.*\nls\t/m)
  })

  test('colour only where it is wanted', async () => {
    assert.ok((await cli.with({ env: { FORCE_COLOR: '1' } }, 'explain', 'usage')).out.includes('\u001b['))
    assert.ok(!(await cli.with({ env: { FORCE_COLOR: '1' } }, 'explain', 'usage', '--no-color')).out.includes('\u001b['))
    assert.ok(!(await cli.with({ env: { FORCE_COLOR: '1' } }, 'explain', 'usage', '--json')).out.includes('\u001b['))
    assert.ok(!(await cli.with({ env: { NO_COLOR: '1' } }, 'explain', 'usage')).out.includes('\u001b['))
  })
})

describe('a server of its own', () => {
  const cli = cliFolder()
  before(async () => void (await cli.serve('--slow')))
  after(() => cli.close())

  test('tokens: made, used, listed without their secret, narrow, revoked at once', async () => {
    const created = await cli.json<TokenView & { token: string }>('token', 'create', 'reader', '--scope', 'read')
    const as = (token: string, ...args: string[]) => cli.with({ env: { PARLEY_TOKEN: token } }, ...args, '--json')
    assert.equal((await as(created.token, 'dialogs', 'list')).code, 0)
    const forbidden = await as(created.token, 'send', 'hi')
    assert.equal(forbidden.code, 4)
    assert.equal(code(forbidden.err), 'not_allowed')
    const listed = await cli.run('token', 'list')
    assert.ok(listed.out.includes(created.id) && !listed.out.includes(created.token))
    assert.equal((await cli.run('token', 'revoke', created.id)).code, 0)
    const gone = await as(created.token, 'dialogs', 'list')
    assert.equal(gone.code, 4)
    assert.equal(code(gone.err), 'bad_token')
    assert.equal((await as('nonsense', 'events', '--follow')).code, 4)
    const nameless = await cli.run('token', 'create')
    assert.equal(nameless.code, 2)
    assert.match(nameless.err, /A token needs a name\.[\s\S]*parley token create ci --scope read/)
    const plain = await cli.run('token', 'create', 'ci')
    assert.equal(plain.out.trim().split('\n').length, 1)
  })

  test('sessions: listed, revoked one by one and all', async () => {
    const signIn = async (agent: string): Promise<Record<string, string>> => {
      const link = new URL((await cli.json<{ url: string }>('link')).url)
      const response = await fetch(new URL('/v1/session', link), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent },
        body: JSON.stringify({ key: decodeURIComponent(link.hash.replace('#k=', '')) }),
      })
      return { url: new URL('/v1/info', link).href, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
    }
    const status = async ({ url = '', cookie = '' }): Promise<number> => (await fetch(url, { headers: { cookie } })).status
    assert.equal((await cli.run('sessions', 'list')).code, 0)
    const [laptop, phone] = [await signIn('Laptop'), await signIn('Phone')]
    const listed = await cli.run('sessions', 'list')
    assert.match(listed.out, /ses_\S+ .*Phone\n.*ses_\S+ .*Laptop/)
    const lost = (await cli.json<SessionView[]>('sessions', 'list')).find(({ browser }) => browser === 'Phone')
    assert.equal((await cli.run('sessions', 'revoke', lost?.id ?? '')).code, 0)
    assert.deepEqual([await status(laptop), await status(phone)], [200, 401])
    assert.equal((await cli.run('sessions', 'revoke')).code, 2)
    assert.equal((await cli.run('sessions', 'revoke', 'x', '--all')).code, 2)
    assert.equal(code((await cli.run('sessions', 'revoke', 'ses_none', '--json')).err), 'session_not_found')
    assert.deepEqual(await cli.json('sessions', 'revoke', '--all'), { count: 1 })
    assert.equal(await status(laptop), 401)
    assert.deepEqual(await cli.json<SessionView[]>('sessions', 'list'), [])
    assert.equal((await cli.json<SessionView[]>('sessions', 'list', '--all')).length, 2)
  })

  test('a long reply can be stopped and continued', async () => {
    const dialog = (await cli.run('send', 'a long one')).out.trim()
    const follow = cli.start(['events', dialog, '--follow', '--json'])
    await follow.until('message.said')
    const stopped = await cli.json<DialogDetail>('dialogs', 'stop', dialog)
    assert.ok(['stopping', 'stopped'].includes(stopped.status))
    await follow.until('turn.stopped')
    await follow.end()
    assert.equal((await cli.run('dialogs', 'tail', dialog, '--until-rest')).code, 0)
    assert.equal((await cli.json<DialogDetail>('dialogs', 'resume', dialog)).status, 'working')
    await cli.run('dialogs', 'stop', dialog)
  })

  test('waiting has an end, and says that the agent goes on', async () => {
    const { code: exit, out, err } = await cli.run('send', 'a long one', '--wait', '--timeout', '1', '--json')
    assert.equal(exit, 1)
    assert.equal(out, '')
    assert.equal(code(err), 'reply_late')
  })

  test('link prints one address that signs in once', async () => {
    const { code: exit, out } = await cli.run('link', '/o')
    assert.equal(exit, 0)
    assert.match(out, /^http:\/\/127\.0\.0\.1:\d+\/o#k=\S+\n$/)
  })

  test('without a terminal serve and demo print no key, but the command that makes a link', async () => {
    for (const args of [
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--json'],
      ['demo', '--port', '0', '--no-open'],
      ['demo', '--port', '0', '--no-open', '--json'],
    ]) {
      const other = cliFolder()
      try {
        const server = other.start(args)
        const out = await server.until(args.includes('--json') ? '\n' : /Next:.*\n/)
        assert.doesNotMatch(out, /#k=/, args.join(' '))
        assert.match(out, /parley link/, args.join(' '))
        const link = await other.run('link')
        assert.match(link.out, /#k=/)
        assert.doesNotMatch((await server.end()).err, /#k=/)
      } finally {
        await other.close()
      }
    }
    const elsewhere = cliFolder()
    try {
      const server = elsewhere.start(['serve', '--port', '0', '--data', 'my data', '--json'])
      const { signIn, link } = JSON.parse(await server.until('\n')) as { signIn: string; link: null }
      assert.deepEqual([signIn, link], ["PARLEY_DATA='my data' parley link", null])
      assert.match((await elsewhere.with({ env: { PARLEY_DATA: 'my data' } }, 'link')).out, /#k=/)
    } finally {
      await elsewhere.close()
    }
  })

  test('a second server on the same port is told so; the demo takes the next one', async () => {
    const { port } = new URL((await cli.json<{ server: string }>('config', 'where')).server)
    const other = cliFolder()
    try {
      const refused = await other.run('serve', '--port', port, '--json')
      assert.equal(refused.code, 1)
      assert.equal(refused.out, '')
      assert.equal(code(refused.err), 'port_taken')
      const demo = other.start(['demo', '--port', port, '--no-open', '--fast'])
      const banner = await demo.until('parley model set')
      assert.match(
        banner,
        /demo agent "Ada" — scripted, no model[\s\S]*Sign in +parley link\n[\s\S]*Chat +http:\/\/127\.0\.0\.1:\d+\/c\/demo\n[\s\S]*Operator[\s\S]*Data +\.\/\.parley \(delete to start over\)/,
      )
      assert.ok(!banner.includes(`:${port}/`))
      const ended = await demo.end()
      assert.equal(ended.code, 0)
      assert.match(ended.err, new RegExp(`Port ${port} is in use`))
    } finally {
      await other.close()
    }
  })
})

describe('set-up', () => {
  const cli = cliFolder()
  const config = join(cli.dir, 'parley.yaml')
  let model: ModelEmulator
  before(async () => {
    model = await modelEmulator()
  })
  after(async () => {
    await model.close()
    await cli.close()
  })

  test('config set keeps comments, config get reads, nonsense is refused and nothing is written', async () => {
    const without = await cli.run('config', 'get')
    assert.deepEqual([without.code, without.out], [0, ''])
    assert.match(without.err, /There is no parley\.yaml here or above.*parley model set/)
    const portless = await cli.run('config', 'get', 'server.port')
    assert.equal(portless.code, 1)
    assert.match(portless.err, /There is no parley\.yaml/)
    writeFileSync(config, '')
    assert.match((await cli.run('config', 'get')).err, /parley\.yaml is empty/)
    writeFileSync(config, '# mine\nserver:\n  port: 4700 # the usual\n')
    assert.equal((await cli.run('config', 'set', 'server.port', '4801')).code, 0)
    assert.equal(readFileSync(config, 'utf8'), '# mine\nserver:\n  port: 4801 # the usual\n')
    assert.equal(await cli.json<number>('config', 'get', 'server.port'), 4801)
    const earlier = readFileSync(config, 'utf8')
    const refused = await cli.run('config', 'set', 'server.prot', '1')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /server\.prot/)
    assert.equal(readFileSync(config, 'utf8'), earlier)
    assert.equal((await cli.run('config', 'get', 'team.nobody')).code, 1)
    assert.equal((await cli.json<{ title: string }>('config', 'schema')).title, 'parley.yaml')
  })

  test('a secret does not go on the command line', async () => {
    const { code: exit, err } = await cli.run('config', 'set', 'models.main.apiKey', 'sk-very-secret')
    assert.equal(exit, 2)
    assert.ok(!err.includes('sk-very-secret'))
    const flag = await cli.run('model', 'set', 'anthropic', '--model', 'm', '--key-env', 'sk-very-secret')
    assert.equal(flag.code, 2)
  })

  test('model set without a terminal names the flags; with them it writes parley.yaml and an agent', async () => {
    const bare = await cli.run('model', 'set')
    assert.equal(bare.code, 2)
    assert.match(bare.err, /parley model set ollama\|openai-compatible\|anthropic --model/)
    const keyless = await cli.with({ env: { ANTHROPIC_API_KEY: '' } }, 'model', 'set', 'anthropic', '--model', 'claude')
    assert.equal(keyless.code, 2)
    assert.match(keyless.err, /--key-env ANTHROPIC_API_KEY, or --key-file/)
    const set = await cli.run('model', 'set', 'openai-compatible', '--base-url', model.url, '--model', 'emulated')
    assert.equal(set.code, 0, set.err)
    assert.match(readFileSync(config, 'utf8'), /^# mine[\s\S]*models:\n {2}main:\n {4}provider: openai-compatible[\s\S]*runtime: model/)
    const { models } = await cli.json<{ models: { name: string; agents: string[] }[] }>('model', 'list')
    assert.deepEqual(
      models.map(({ name, agents }) => [name, agents]),
      [['main', ['assistant']]],
    )
  })

  test('model set does not change a team, and says when no member uses the model', async () => {
    const alone = cliFolder()
    try {
      const file = join(alone.dir, 'parley.yaml')
      writeFileSync(file, 'team:\n  members:\n    ada: { runtime: scripted }\n')
      const set = (name: string) => alone.run('model', 'set', 'openai-compatible', '--base-url', model.url, '--model', 'x', '--name', name)
      const { code: exit, err } = await set('main')
      const [, path = '', value = ''] = /uses it yet.*parley config set (\S+) '(.*)'/.exec(err) ?? []
      assert.deepEqual([exit, path], [0, 'team.members.assistant'], err)
      assert.equal((await alone.run('config', 'set', path, value)).code, 0)
      assert.doesNotMatch((await set('main')).err, /uses it yet/)
      assert.match((await set('other')).err, /uses it yet.*parley config set team\.members\.\w+\.model other/)
      assert.match(readFileSync(file, 'utf8'), /ada: \{ runtime: scripted \}/)
    } finally {
      await alone.close()
    }
  })

  test('model test says what works and why the rest does not, and a script can tell', async () => {
    const { code: exit, out } = await cli.run('model', 'test')
    assert.equal(exit, 1)
    assert.match(out, /✓ answers · first token \d+\.\d s\n✓ streams\n✗ uses tools\n {2}asked to call a tool, it wrote text instead/)
    const question = { text: 'Tea or coffee?', items: [{ id: 'drink', text: 'Which?', kind: 'choice', options: ['tea', 'coffee'] }] }
    model.next(
      { does: 'reply', pieces: ['one,', ' two'] },
      { does: 'reply', pieces: [], calls: [{ id: 'c1', name: 'read_thermometer', args: ['{"place":"kitchen"}'] }] },
      { does: 'reply', pieces: [], calls: [{ id: 'c2', name: 'askHuman', args: [JSON.stringify(question)] }] },
    )
    const able = await cli.run('model', 'test')
    assert.deepEqual([able.code, able.out.includes('✗')], [0, false], able.out)
    model.next({ does: 'refuse', status: 401 })
    const refused = await cli.run('model', 'test', 'main', '--json')
    assert.equal(refused.code, 1)
    assert.match((JSON.parse(refused.out) as { answers: { why: string } }).answers.why, /key/)
    const unknown = await cli.run('model', 'test', 'other', '--json')
    assert.equal(code(unknown.err), 'model_not_set')
  })

  test('a key from a file is kept apart, for its owner only, and used', async () => {
    const set = await cli.with(
      { input: 'sk-from-stdin\n' },
      'model',
      'set',
      'openai-compatible',
      '--base-url',
      model.url,
      '--model',
      'emulated',
      '--key-file',
      '-',
    )
    assert.equal(set.code, 0, set.err)
    assert.ok(!readFileSync(config, 'utf8').includes('sk-from-stdin'))
    assert.ok(!(set.out + set.err).includes('sk-from-stdin'))
    assert.match(readFileSync(config, 'utf8'), /apiKey: \$\{PARLEY_MAIN_KEY\}/)
    const secrets = join(cli.dir, '.parley', 'secrets.env')
    assert.equal(readFileSync(secrets, 'utf8'), 'PARLEY_MAIN_KEY=sk-from-stdin\n')
    if (process.platform !== 'win32') assert.equal(statSync(secrets).mode & 0o777, 0o600)
    await cli.run('model', 'test')
    assert.equal(model.requests.at(-1)?.headers['authorization'], 'Bearer sk-from-stdin')
  })

  test('the server answers with that model, key included', async () => {
    const server = await cli.serve()
    const { code: exit, out, err } = await cli.run('send', 'hello', '--wait')
    assert.equal(exit, 0, err)
    assert.equal(out, 'Hello from the model.\n')
    model.next({ does: 'refuse', status: 400, message: 'no such model' })
    const failed = await cli.run('send', 'again', '--wait', '--json')
    assert.equal(failed.code, 1)
    assert.equal(failed.out, '')
    assert.equal(code(failed.err), 'model_refused')
    assert.match(failed.err, /parley dialogs continue dlg_/)
    await server.process.end()
  })

  test('doctor finds problems, names the next command, and fixes what is safe', async () => {
    const well = await cli.json<{ findings: { check: string; level: string }[] }>('doctor')
    assert.deepEqual(
      well.findings.filter(({ level }) => level === 'error'),
      [],
    )
    writeFileSync(config, `${readFileSync(config, 'utf8')}limits:\n  concurency: 3\n`)
    const typo = await cli.run('doctor')
    assert.equal(typo.code, 0)
    assert.match(typo.out, /✗ \.\/parley\.yaml:\d+: limits\.concurency: .*Did you mean "concurrency"\?/)
    assert.match(typo.out, /→ /)
    assert.equal((await cli.run('doctor', '--lint')).code, 1)
    writeFileSync(config, 'server: [unclosed')
    const broken = await cli.json<{ ok: boolean; findings: { check: string; level: string; next: string }[] }>('doctor')
    assert.equal(broken.ok, false)
    assert.ok(broken.findings.some(({ check, level, next }) => check === 'config' && level === 'error' && next !== ''))
    writeFileSync(config, '')
    mkdirSync(join(cli.dir, '.parley'), { recursive: true })
    writeFileSync(
      join(cli.dir, '.parley', 'server.json'),
      JSON.stringify({ url: 'http://127.0.0.1:9', token: 't', pid: 999_999_999, version: '0' }),
      { mode: 0o644 },
    )
    const result = await cli.run('doctor')
    assert.match(result.out, /ended without removing its server\.json\.\n {2}→ parley doctor --fix/)
    await cli.run('doctor', '--fix')
    const again = await cli.run('doctor')
    assert.doesNotMatch(again.out, /without removing its server.json|Other users of this machine/)
  })

  test('doctor sees a port that is taken and a store that is no store', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    writeFileSync(config, `server:\n  port: ${port}\n`)
    writeFileSync(join(cli.dir, '.parley', 'parley.db'), 'this is not a database, and long enough to be noticed as none of it')
    const { out } = await cli.run('doctor')
    holder.close()
    assert.match(out, new RegExp(`! Port ${port} is in use`))
    assert.ok(out.includes('✗ ./.parley/parley.db is damaged'))
  })
})
