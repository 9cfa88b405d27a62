import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, type Probe, type ProbedServer, withServer } from './probed-server.ts'

const database = (server: ProbedServer): string => join(server.data, 'parley.db')

/** Whether `/readyz` says yes for 30 seconds, or a message is still acknowledged. */
async function stillAccepts(server: ProbedServer, dialog: string): Promise<Finding> {
  for (const end = performance.now() + 30_000; ; await sleep(100)) {
    const ready = (await server.ask('GET', '/readyz', { token: null })).status
    const said = (await server.ask('POST', `/v1/dialogs/${dialog}/messages`, { body: { text: 'x' } })).status
    const finding = { open: ready === 200 || said < 300, seen: `/readyz ${ready}, a message ${said}` }
    if (said < 300 || ready !== 200 || performance.now() > end) return finding
  }
}

const getPath = (server: ProbedServer, suffix: string): string => database(server) + suffix

export const recoveryProbes: readonly Probe[] = [
  {
    hole: 'Nothing can be written (files at their largest size), and the server says that it is ready',
    tests: '`test/store-recovery.e2e.test.ts`',
    run: (version) =>
      withServer(version, { wrap: ['bash', '-c', 'ulimit -f 600; exec "$@"', 'bash'] }, async (server) => {
        const { id } = await server.must('POST', '/v1/dialogs', { body: {} })
        for (const length of [60_000, 3_000, 1])
          for (let tries = 0; tries < 90; tries += 1)
            if ((await server.ask('POST', `/v1/dialogs/${id}/messages`, { body: { text: 'x'.repeat(length) } })).status >= 500) break
        return stillAccepts(server, id)
      }),
  },
  {
    hole: 'A deleted database is acknowledged as if it were there',
    tests: '`test/store-recovery.e2e.test.ts`, `src/store/sqlite/lost-files.sqlite.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const { id } = await server.must('POST', '/v1/dialogs', { body: {} })
        for (const suffix of ['', '-wal', '-shm']) rmSync(getPath(server, suffix), { force: true })
        return stillAccepts(server, id)
      }),
  },
  {
    hole: 'A database that was replaced by an older copy is acknowledged',
    tests: '`src/store/sqlite/lost-files.sqlite.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const { id } = await server.must('POST', '/v1/dialogs', { body: {} })
        copyFileSync(database(server), getPath(server, '-copy'))
        await server.must('POST', `/v1/dialogs/${id}/messages`, { body: { text: 'hello' } })
        renameSync(getPath(server, '-copy'), database(server))
        return stillAccepts(server, id)
      }),
  },
  {
    hole: 'After `kill -9` without the write-ahead log the server starts, and acknowledged messages are gone',
    tests: '`test/store-recovery.e2e.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const { id } = await server
          .must('POST', '/v1/dialogs', { body: { title: 'kept' } })
          .catch(() => server.must('POST', '/v1/dialogs', { body: {} }))
        await server.must('POST', `/v1/dialogs/${id}/messages`, { body: { text: 'acknowledged' } })
        // The position that the next start compares is written at most once a second.
        await sleep(1_500)
        await server.end('SIGKILL')
        if (!existsSync(getPath(server, '-wal'))) throw new Error('there is no write-ahead log')
        for (const suffix of ['-wal', '-shm']) rmSync(getPath(server, suffix), { force: true })
        if (!(await server.tryStart()))
          return { open: false, seen: `no start: ${server.printed.match(/"code":"(\w+)"/)?.[1] ?? server.printed.split('\n')[0]}` }
        const { status } = await server.ask('GET', `/v1/dialogs/${id}`)
        return { open: status === 404, seen: `it starts, and the dialog gets ${status}` }
      }),
  },
]
