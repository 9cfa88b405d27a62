// needs: sandbox
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { configSchema } from '../../app/config/schema.ts'
import { systemClock } from '../../ports/clock.ts'
import { directoryRules } from '../workspace/directory-rules.ts'
import { projectProtection } from '../workspace/project-protection.ts'
import { readTools } from '../workspace/read-tools.ts'
import { shellTool } from '../workspace/shell-tool.ts'
import { writeTools } from '../workspace/write-tools.ts'
import { toConfinement } from './confinement.ts'
import { sandboxLauncher } from './sandbox.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

/**
 * Real tries to get out of the sandbox. Each is run twice: as a plain child process, where it must succeed, and in the
 * sandbox, where it must not. Whether it succeeded is found out here, outside the sandbox.
 */
type Try = {
  name: string
  /** In bash, in the project. Loot goes to the file `loot`. */
  attack: string
  /** True when the try succeeded. Without it: the secret is in `loot`. */
  escaped?: () => boolean | Promise<boolean>
  /** The same try in other words, where outside the sandbox it must be said otherwise. */
  plain?: string
  /** Outside the sandbox only root can do it. */
  asRoot?: true
  /** After the attack, by a file tool of the same agent. */
  afterwards?: () => Promise<unknown>
  writeDirs?: string[]
}

const secret = `SECRET-${randomUUID()}`
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-corpus-')))
const project = join(outside, 'project')
const home = join(outside, 'home')
const hostTemporary = join(tmpdir(), `parley-corpus-${process.pid}`)
const runSocket = `/run/parley-corpus-${process.pid}.sock`
const inProject = (name: string): string => join(project, name)
const isRoot = process.getuid?.() === 0
const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Files that hold the secret: what the rules hide, and what lies outside the project. */
const secretFiles = [
  'var/data/server.json',
  'var/data/secret',
  '.env',
  'packages/a/.env.local',
  '.minds/team.md',
  'plan.tsk/goals.md',
  'tls/server.pem',
  'tls/server.key',
  'service-account-prod.json',
  '.npmrc',
  '.netrc',
  '.git-credentials',
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.config/gcloud/token',
  '.kube/config',
  'private/notes.md',
  '../home/.bashrc',
  '../home/.ssh/id_ed25519',
  '../secret.txt',
]
const settings = `# ${secret}\nteam: {}\n`
const module = 'export default {}\n'

const template = join(outside, 'template')

function writeProject(): void {
  // An attempt may have copied a covered folder, which cannot be entered.
  if (!isRoot && existsSync(project)) spawnSync('chmod', ['-R', 'u+rwX', project])
  rmSync(project, { recursive: true, force: true })
  if (existsSync(template)) return cpSync(template, project, { recursive: true })
  for (const name of secretFiles) {
    mkdirSync(dirname(inProject(name)), { recursive: true })
    writeFileSync(inProject(name), `${secret}\n`)
  }
  for (const folder of ['agents', 'notes', 'node_modules/dep', 'packages/a']) mkdirSync(inProject(folder), { recursive: true })
  writeFileSync(inProject('parley.yaml'), settings)
  writeFileSync(inProject('agents/ada.mjs'), module)
  writeFileSync(inProject('node_modules/dep/index.js'), module)
  writeFileSync(inProject('notes/a.md'), 'one\n')
  const git = (...args: string[]): void => void spawnSync('git', args, { cwd: project, env: { PATH: process.env['PATH'], HOME: home } })
  git('init', '-q')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  mkdirSync(inProject('.git/hooks'), { recursive: true })
  cpSync(project, template, { recursive: true })
}

const servers: { close(): unknown }[] = []
let visits = 0
/** Answers everyone with the secret. */
async function listen(where: object): Promise<Server> {
  const server = createServer((socket) => {
    visits += 1
    socket.on('error', () => {})
    socket.end(secret)
  })
  server.listen(where)
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  servers.push(server)
  return server
}

let decoy: ChildProcess
const newDecoy = async (): Promise<void> => {
  decoy?.kill('SIGKILL')
  // Its environment, its folder and an open file are there to be looted.
  decoy = spawn('bash', ['-c', `exec 9<${join(outside, 'secret.txt')}; exec sleep 600`], {
    cwd: outside,
    env: { PATH: process.env['PATH'], LOOT: secret },
  })
  while (!readText(`/proc/${decoy.pid}/cmdline`).startsWith('sleep')) await pause(5)
}
const isDecoyAlive = (): boolean => decoy.exitCode === null && decoy.signalCode === null

/** Processes of this machine with the mark in their command line. */
const marked = (mark: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
    } catch {
      return false
    }
  })

/** True when it stays so: what was killed may take a moment to go. */
async function staysSo(isSo: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 25; looks += 1) {
    if (!isSo()) return false
    await pause(20)
  }
  return true
}

/** In the environment of this process from its start; only that is in /proc. */
const ownVariables = readText('/proc/self/environ')
  .split('\0')
  .filter((line) => line.length > 12 && !/^(?:PATH|HOME|LANG|LC_[A-Z]+|TZ|TERM|TMPDIR)=/.test(line))
const serverEnv = (): NodeJS.ProcessEnv => ({ ...process.env, HOME: home, DATABASE_URL: `postgres://${secret}`, PARLEY_SECRET: secret })

function shellWith(writeDirs: string[]): { run(command: string): Promise<string>; use(name: string, input: object): Promise<unknown> } {
  const config = configSchema.parse({ team: { members: { ada: { runtime: 'scripted', module: 'agents/ada.mjs' } } } })
  const layout = projectProtection({ file: inProject('parley.yaml'), dataDir: inProject('var/data'), config })
  const rules = directoryRules(project, { writeDirs, noReadDirs: ['private'] }, layout)
  const launcher = sandboxLauncher({ mode: 'on', env: serverEnv, clock: systemClock })
  const confinement = toConfinement(project, rules, { env: ['PARLEY_SECRET'] })
  const tools = [
    ...readTools(rules),
    ...writeTools(rules, () => true),
    shellTool({ rules, launcher, confinement, isSandboxed: true, hasBash: () => true, clock: systemClock }),
  ]
  const use = async (name: string, input: object): Promise<unknown> => {
    const tool = tools.find((each) => each.name === name)
    const checked = tool?.check(input) ?? { fault: 'no such tool' }
    assert.ok('input' in checked)
    return tool?.run(checked.input, {
      dialog: 'd',
      agent: 'a',
      call: 'c',
      taskdoc: null,
      isSide: false,
      cause: ownerCause,
      signal: new AbortController().signal,
    })
  }
  return { use, run: async (command) => String(await use('run', { command, timeout_seconds: 20 }).catch((error: unknown) => error)) }
}

async function runPlainly(command: string): Promise<void> {
  const child = spawn('bash', ['--noprofile', '--norc', '-c', command], {
    cwd: project,
    env: serverEnv(),
    timeout: 20_000,
    stdio: 'ignore',
  })
  await once(child, 'exit')
}

const loot = (): string => readText(inProject('loot'))
const connectTo = (where: string): string =>
  `'${process.execPath}' -e 'require("node:net").connect(${where}).on("error", () => {}).pipe(require("node:fs").createWriteStream("loot"))'`
let marks = 0
const leftBehind = (start: string): Pick<Try, 'attack' | 'escaped'> => {
  const mark = `9${process.pid}${(marks += 1)}`
  return {
    attack: start.replaceAll('{sleep}', `sleep ${mark}`),
    async escaped() {
      // A process that is left may not have become `sleep` yet.
      await pause(300)
      const isLeft = await staysSo(() => marked(`sleep\0${mark}`).length > 0)
      for (const pid of marked(`sleep\0${mark}`)) process.kill(Number(pid), 'SIGKILL')
      return isLeft
    },
  }
}
const mark = (): string => inProject('notes/marked')
const markIf = (attempt: string): Pick<Try, 'attack' | 'escaped'> => ({
  attack: `${attempt} && touch notes/marked`,
  escaped: () => existsSync(mark()),
})
const writes = (name: string, attack: string, unchanged: string): Pick<Try, 'attack' | 'escaped'> => ({
  attack,
  escaped: () => readText(inProject(name)) !== unchanged,
})

let tries: Try[] = []
let gitConfig = ''

describe('tries to get out of the sandbox', { timeout: 280_000 }, () => {
  before(async () => {
    mkdirSync(home, { recursive: true })
    writeProject()
    gitConfig = readText(inProject('.git/config'))
    const tcp = (await listen({ port: 0, host: '127.0.0.1' })).address() as AddressInfo
    const anywhere = (await listen({ port: 0, host: '0.0.0.0' })).address() as AddressInfo
    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address
    await listen({ path: join(outside, 'outside.sock') })
    await listen({ path: `\0parley-corpus-${process.pid}` })
    if (isRoot) await listen({ path: runSocket })
    const udp: Socket = createSocket('udp4').on('message', () => (visits += 1))
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
    servers.push(udp)
    const visited = async (): Promise<boolean> => {
      await staysSo(() => visits === 0)
      return visits > 0
    }
    tries = [
      ...secretFiles.map((name) => ({ name: `read ${name}`, attack: `cat ${name} > loot` })),
      { name: 'read parley.yaml', attack: 'cat parley.yaml > loot' },
      { name: 'read everything below the project', attack: 'cat $(find . -type f -not -name loot) > loot' },
      { name: 'read by an absolute path', attack: `cat ${outside}/secret.txt > loot` },
      { name: 'read the home of the account', attack: 'cat "$HOME/.bashrc" ~/.ssh/* > loot', plain: `cat ${home}/.ssh/* > loot` },
      { name: 'read a secret by a link out of the project', attack: `ln -s ${outside} notes/out; cat notes/out/secret.txt > loot` },
      { name: 'read the data folder by a link', attack: 'ln -s ../var/data notes/data; cat notes/data/secret > loot' },
      { name: 'read by a hard link', attack: 'ln .env notes/x; cat notes/x > loot' },
      { name: 'read by a hard link to the data folder', attack: 'ln var/data/secret notes/x; cat notes/x > loot' },
      { name: 'move the data folder and read it', attack: 'mv var/data notes/d; cat notes/d/secret > loot' },
      { name: 'move a folder above the data folder', attack: 'mv var notes/v; cat notes/v/data/secret > loot' },
      { name: 'copy the project', attack: 'cp -r . /tmp/parley-copy-$$; cat /tmp/parley-copy-$$/.env > loot; rm -rf /tmp/parley-copy-$$' },
      { name: 'read by tar', attack: 'tar cf - . 2>/dev/null | tar xOf - ./.env > loot' },
      {
        name: 'a link made in the sandbox, read by a file tool',
        attack: `ln -s ${outside} notes/out`,
        plain: `cat ${outside}/secret.txt > loot`,
        afterwards: async () =>
          writeFileSync(inProject('loot'), String(await shellWith(['**']).use('read_file', { path: 'notes/out/secret.txt' }))),
      },
      {
        name: 'a link made in the sandbox, written by a file tool',
        attack: `ln -s ${outside} notes/out`,
        plain: `echo x > ${outside}/written`,
        escaped: () => existsSync(join(outside, 'written')),
        afterwards: () => shellWith(['**']).use('write_file', { path: 'notes/out/written', content: 'x' }),
      },

      { name: 'write outside the project', attack: `echo x > ${outside}/written`, escaped: () => existsSync(join(outside, 'written')) },
      { name: 'write outside writeDirs', ...writes('packages/a/x', 'echo x > packages/a/x', ''), writeDirs: ['notes/**'] },
      { name: 'write without writeDirs', ...writes('notes/a.md', 'echo x > notes/a.md', 'one\n'), writeDirs: [] },
      { name: 'write to the /tmp of the machine', attack: `echo x > ${hostTemporary}`, escaped: () => existsSync(hostTemporary) },
      { name: 'write to /usr', ...markIf(`touch /usr/parley-corpus-${process.pid} && rm /usr/parley-corpus-${process.pid}`), asRoot: true },
      { name: 'write to /etc', ...markIf(`touch /etc/parley-corpus-${process.pid} && rm /etc/parley-corpus-${process.pid}`), asRoot: true },
      { name: 'write to the home', attack: `echo x >> ${home}/.profile`, escaped: () => existsSync(join(home, '.profile')) },
      { name: 'change parley.yaml', ...writes('parley.yaml', 'echo "team: {}" > parley.yaml', settings) },
      { name: 'replace parley.yaml', ...writes('parley.yaml', 'rm -f parley.yaml; echo x > notes/p; mv notes/p parley.yaml', settings) },
      { name: 'create parley.yaml where it is missing', ...writes('parley.yaml', 'echo x > parley.yaml', '') },
      { name: 'write into the data folder', ...writes('var/data/secret', 'echo x > var/data/secret', `${secret}\n`) },
      {
        name: 'replace a folder above the data folder',
        ...writes('var/data/secret', 'mv var v; mkdir -p var/data; echo x > var/data/secret', `${secret}\n`),
      },
      { name: 'write into .minds', ...writes('.minds/new.md', 'echo x > .minds/new.md', '') },
      { name: 'replace .minds', ...writes('.minds/new.md', 'mv .minds m; mkdir .minds; echo x > .minds/new.md', '') },
      { name: 'change the module of an agent', ...writes('agents/ada.mjs', 'echo x > agents/ada.mjs', module) },
      { name: 'replace the module of an agent', ...writes('agents/ada.mjs', 'rm agents/ada.mjs; echo x > agents/ada.mjs', module) },
      {
        name: 'replace the folder of a module',
        ...writes('agents/ada.mjs', 'mv agents notes/a; mkdir agents; echo x > agents/ada.mjs', module),
      },
      { name: 'change a library of the server', ...writes('node_modules/dep/index.js', 'echo x > node_modules/dep/index.js', module) },
      {
        name: 'replace node_modules',
        ...writes(
          'node_modules/dep/index.js',
          'mv node_modules notes/n; mkdir -p node_modules/dep; echo x > node_modules/dep/index.js',
          module,
        ),
      },
      { name: 'write a git hook', ...writes('.git/hooks/post-commit', 'echo x > .git/hooks/post-commit', '') },
      { name: 'replace the git hooks', ...writes('.git/hooks/x', 'mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/x', '') },
      {
        name: 'change the git settings',
        attack: 'git config core.hooksPath notes',
        escaped: () => readText(inProject('.git/config')) !== gitConfig,
      },
      {
        name: 'replace the git folder',
        attack: 'mv .git notes/g; git init -q',
        escaped: () => readText(inProject('.git/config')) !== gitConfig,
      },
      { name: 'lead git to other settings', ...writes('.git/commondir', 'echo ../notes > .git/commondir', '') },

      { name: 'read the environment', attack: 'env > loot' },
      { name: 'read a variable the agent may never name', attack: 'echo "$PARLEY_SECRET" > loot' },
      { name: 'read /proc/self/environ', attack: 'cat /proc/self/environ > loot' },
      {
        name: 'read /proc/1/environ',
        attack: 'cat /proc/1/environ > loot',
        plain: 'cat /proc/$PPID/environ > loot',
        escaped: () => ownVariables.some((line) => loot().includes(line)),
      },
      {
        name: 'read /proc/$PPID/environ',
        attack: 'cat /proc/$PPID/environ > loot',
        escaped: () => ownVariables.some((line) => loot().includes(line)),
      },
      { name: 'read the environment of every process', attack: 'cat /proc/[0-9]*/environ > loot' },
      { name: 'read the environment of another process', attack: `cat /proc/{decoy}/environ > loot` },
      { name: 'read by the root of another process', attack: `cat /proc/{decoy}/root${outside}/secret.txt > loot` },
      { name: 'read by the folder of another process', attack: `cat /proc/{decoy}/cwd/secret.txt > loot` },
      { name: 'read an open file of another process', attack: `cat /proc/{decoy}/fd/9 > loot` },
      {
        name: 'read by a descriptor of the launcher',
        attack: `for fd in /proc/{1,self,$PPID}/fd/*; do cat "$fd"/.env "$fd"/../secret.txt; done > loot`,
        plain: 'cat .env > loot',
      },
      {
        name: 'read by the root of the first process',
        attack: `cat /proc/1/root${outside}/secret.txt > loot`,
        plain: `cat /proc/$PPID/root${outside}/secret.txt > loot`,
      },

      { name: 'reach a TCP server of this machine', attack: `cat < /dev/tcp/127.0.0.1/${tcp.port} > loot` },
      { name: 'reach a server by the address of this machine', attack: `cat < /dev/tcp/${address ?? '127.0.0.1'}/${anywhere.port} > loot` },
      { name: 'send a DNS query', attack: `echo query > /dev/udp/127.0.0.1/${udp.address().port}`, escaped: visited },
      { name: 'reach a unix socket outside the project', attack: connectTo(`"${outside}/outside.sock"`) },
      { name: 'reach a unix socket in the project', attack: connectTo('"notes/inside.sock"') },
      { name: 'reach an abstract unix socket', attack: connectTo(`"\\0parley-corpus-${process.pid}"`) },
      { name: 'reach a socket in /run, such as Docker’s', attack: connectTo(`"${runSocket}"`), asRoot: true },

      { name: 'leave a process in the background', ...leftBehind('{sleep} >/dev/null 2>&1 &') },
      { name: 'leave a process with nohup', ...leftBehind('nohup {sleep} >/dev/null 2>&1 &') },
      { name: 'leave a process with setsid', ...leftBehind('setsid {sleep} >/dev/null 2>&1 &') },
      { name: 'leave a process by a double fork', ...leftBehind('( ( setsid nohup {sleep} >/dev/null 2>&1 & ) & )') },
      { name: 'leave many processes', ...leftBehind('for n in $(seq 200); do {sleep} & done >/dev/null 2>&1') },
      { name: 'leave a process in the shell of a trap', ...leftBehind(`trap 'setsid {sleep} >/dev/null 2>&1 &' EXIT`) },
      { name: 'kill another process', attack: 'kill -9 {decoy}', escaped: async () => !(await staysSo(isDecoyAlive)) },
      {
        name: 'attach to another process',
        ...markIf(`perl -e 'exit(syscall(${process.arch === 'arm64' ? 117 : 101}, 16, {decoy}, 0, 0) == 0 ? 0 : 1)'`),
      },
      {
        name: 'open the terminal of the server',
        ...markIf('( : <> /dev/tty )'),
        plain: `script -qec '( : <> /dev/tty ) && touch notes/marked' /dev/null`,
      },

      {
        name: 'uncover a hidden folder',
        attack: 'umount .minds var/data; cat .minds/* var/data/secret > loot',
        plain: 'cat .minds/* > loot',
      },
      { name: 'make a mount', ...markIf('mount -t tmpfs none notes && umount notes'), asRoot: true },
      { name: 'make a user namespace', ...markIf('unshare --user --map-root-user true') },
      { name: 'make a mount namespace', ...markIf('unshare --mount true'), asRoot: true },
      { name: 'enter the namespaces of another process', ...markIf('nsenter --target {decoy} --mount true'), asRoot: true },
      { name: 'change the root', ...markIf('chroot / true'), asRoot: true },
      { name: 'make a device', ...markIf('mknod notes/null c 1 3 && rm notes/null'), asRoot: true },
      { name: 'read the kernel log', ...markIf('( : < /dev/kmsg )'), asRoot: true },
      {
        name: 'set the program for core dumps',
        ...markIf('cat /proc/sys/kernel/core_pattern > notes/c && cat notes/c > /proc/sys/kernel/core_pattern'),
        asRoot: true,
      },
      {
        name: 'change a setting of the kernel',
        ...markIf('cat /proc/sys/vm/swappiness > notes/c && cat notes/c > /proc/sys/vm/swappiness'),
        asRoot: true,
      },
      { name: 'change the name of the machine', ...markIf('hostname "$(hostname)"'), asRoot: true },
      { name: 'read the passwords of the machine', ...markIf('( : < /etc/shadow )'), asRoot: true },
    ]
  })

  after(() => {
    decoy?.kill('SIGKILL')
    for (const server of servers) server.close()
    for (const path of [outside, hostTemporary, runSocket]) rmSync(path, { recursive: true, force: true })
  })

  /** The project as at the beginning, a new victim and a socket in the project. */
  async function prepare(attempt: Try): Promise<void> {
    writeProject()
    for (const path of [join(outside, 'written'), hostTemporary, join(home, '.profile')]) rmSync(path, { force: true })
    if (attempt.name.includes('where it is missing')) rmSync(inProject('parley.yaml'))
    await newDecoy()
    visits = 0
    if (attempt.name.includes('socket in the project')) await listen({ path: inProject('notes/inside.sock') })
  }
  const escaped = async ({ escaped: check = () => loot().includes(secret) }: Try): Promise<boolean> => check()
  const filled = (command: string): string => command.replaceAll('{decoy}', String(decoy.pid))

  it('each succeeds without the sandbox, so that the tries mean something', async () => {
    const failed: string[] = []
    let controls = 0
    for (const attempt of tries) {
      if (attempt.asRoot && !isRoot) continue
      await prepare(attempt)
      await runPlainly(filled(attempt.plain ?? attempt.attack))
      controls += 1
      if (!(await escaped(attempt))) failed.push(attempt.name)
    }
    assert.deepEqual(failed, [])
    assert.ok(controls >= 40, `${controls} controls`)
  })

  it('none succeeds in the sandbox', async (t) => {
    for (const attempt of tries) {
      await t.test(attempt.name, async () => {
        await prepare(attempt)
        await shellWith(attempt.writeDirs ?? ['**']).run(filled(attempt.attack))
        await attempt.afterwards?.().catch(() => {})
        assert.equal(await escaped(attempt), false, loot().slice(0, 500))
      })
    }
    t.diagnostic(`${tries.length} tries`)
    assert.ok(tries.length >= 40)
  })

  it('what agents need works: reading, writing, git, Node, pipes, temporary files', async () => {
    await prepare({ name: '', attack: '' })
    const { run } = shellWith(['**'])
    assert.equal(await run('cat notes/a.md | tr a-z A-Z'), 'exit code 0\nONE\n')
    assert.equal(
      await run('echo new > new.md && cat new.md && mkdir -p lib/x && mv new.md lib/x && ls lib/x'),
      'exit code 0\nnew\nnew.md\n',
    )
    assert.equal(readText(inProject('lib/x/new.md')), 'new\n')
    assert.match(await run('git add notes && git commit -qm first && git log --oneline'), /^exit code 0\n\w+ first\n$/)
    assert.equal(await run(`node -p '1 + 1' && echo x > /tmp/x && echo y > ~/y && cat /tmp/x ~/y`), 'exit code 0\n2\nx\ny\n')
    assert.match(await run('cat .env'), /exit code 1\ncat: \.env: Permission denied/)
    assert.equal(await run('cd packages && echo x > a/b && cat a/b'), 'exit code 0\nx\n')
  })

  it('commits in a folder that writeDirs names', async () => {
    await prepare({ name: '', attack: '' })
    const { run } = shellWith(['notes/**'])
    assert.match(
      await run('echo two >> notes/a.md && git add notes && git commit -qm notes && git log --oneline'),
      /^exit code 0\n\w+ notes\n$/,
    )
  })
})
