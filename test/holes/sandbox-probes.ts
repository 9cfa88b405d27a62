import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { obedientModel } from '../fixtures/obedient-model.ts'
import { modelTeam, results } from './model-team.ts'
import { type Finding, type Probe, type ProbedServer, type Version, withServer } from './probed-server.ts'

const planted = { DATABASE_URL: 'postgres://planted-secret-1@db', OPENAI_API_KEY: 'planted-secret-2' }

/** An owner lets the model run a command; `look` judges its output and what it left behind. */
async function runCommand(version: Version, command: string, look: (output: string, server: ProbedServer) => Finding): Promise<Finding> {
  const model = await obedientModel()
  const files = {
    ...modelTeam(model.url, ['      toolsets: [ws_read, os]', '      writeDirs: ["**"]']),
    '.parley/secrets.env': 'PLANTED_KEY=planted-secret-3\n',
  }
  try {
    return await withServer(version, { files, env: planted }, async (server) => {
      const output = await results(server, await server.say(`call run ${JSON.stringify({ command })}`))
      if (!output.includes('it ran')) throw new Error(`the command did not run: ${output.slice(0, 500)}`)
      return look(output, server)
    })
  } finally {
    await model.close()
  }
}

const secretsIn = (output: string): Finding => {
  const count = [1, 2, 3].filter((number) => output.includes(`planted-secret-${number}`)).length
  return { open: count > 0, seen: `${count} of 3 secrets read` }
}

/** Processes of this machine whose command line has the mark. */
const running = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark) ? [Number(pid)] : []
      } catch {
        return []
      }
    })

export const sandboxProbes: readonly Probe[] = [
  {
    hole: 'A shell command reads keys from its environment',
    tests: '`src/agents/sandbox/corpus.e2e.test.ts`',
    run: (version) => runCommand(version, 'echo it ran; env', secretsIn),
  },
  {
    hole: 'A shell command reads keys from the environment of its parents in `/proc`',
    tests: '`src/agents/sandbox/corpus.e2e.test.ts`',
    run: (version) =>
      runCommand(version, "echo it ran; cat /proc/$PPID/environ /proc/1/environ /proc/*/environ 2>/dev/null | tr '\\0' '\\n'", secretsIn),
  },
  {
    hole: 'A shell command reads the data folder',
    tests: '`src/agents/sandbox/corpus.e2e.test.ts`',
    run: (version) =>
      runCommand(version, 'echo it ran; cat .parley/server.json .parley/secret .parley/secrets.env', (output, server) => {
        const isRead = output.includes(server.ownerToken) || output.includes('planted-secret-3')
        return { open: isRead, seen: isRead ? 'the owner’s token is read' : 'nothing is read' }
      }),
  },
  {
    hole: 'A shell command writes outside of its project',
    tests: '`src/agents/sandbox/corpus.e2e.test.ts`',
    run: async (version) => {
      const file = `/var/tmp/parley-hole-${process.pid}`
      return runCommand(version, `echo it ran; echo planted > ${file}`, () => {
        const isWritten = existsSync(file)
        rmSync(file, { force: true })
        return { open: isWritten, seen: isWritten ? 'the file is there' : 'no file' }
      })
    },
  },
  {
    hole: 'A process that a command started with `setsid` survives the call',
    tests: '`src/agents/sandbox/corpus.e2e.test.ts`',
    run: (version) => {
      const mark = `parley-hole-${process.pid}-${Date.now()}`
      return runCommand(version, `setsid bash -c 'exec -a ${mark} sleep 30' >/dev/null 2>&1 & sleep 0.3; echo it ran`, () => {
        const left = running(mark)
        for (const pid of left) process.kill(pid, 'SIGKILL')
        return { open: left.length > 0, seen: `${left.length === 0 ? 'no process is' : 'a process is'} left` }
      })
    },
  },
]
