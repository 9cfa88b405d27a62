import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/**
 * Each contender runs in a process of its own, so that neither pays for the heap or the warm code of the other, or for
 * the model. The bench tells them in turn to run a round.
 */
export type Round = { count: number; seconds: number; cpuMs: number; [more: string]: number }

export type Contender = {
  ask<Answer>(command: object): Promise<Answer>
  /** Ends it and waits until it is gone, so that a profile or trace it writes is complete. */
  end(): Promise<void>
  readonly child: ChildProcess
}

const longestAnswerMs = 60_000

const children = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export function start(file: string, args: readonly string[] = [], options: ForkOptions = {}): Contender {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], ...options })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  children.add(child)
  child.once('exit', () => children.delete(child))
  return {
    child,
    ask: <Answer>(command: object) => getAnswer<Answer>(child, file, () => child.send(command)),
    async end() {
      if (child.connected) child.disconnect()
      const tooLong = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await gone
      clearTimeout(tooLong)
    },
  }
}

/** The next thing a child says. A child that dies or is silent is a figure that was not measured. */
export function getAnswer<Answer>(child: ChildProcess, name: string, ask: () => void = () => {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      child.off('message', onAnswer)
      child.off('exit', died)
      act()
    }
    const onAnswer = (answer: unknown): void =>
      settle(() => (isFault(answer) ? reject(new Error(`${name}: ${answer.fault}`)) : resolve(answer as Answer)))
    const died = (code: number | null): void => settle(() => reject(new Error(`${name} ended with ${code} before it answered`)))
    const timer = setTimeout(() => settle(() => reject(new Error(`${name} did not answer within ${longestAnswerMs} ms`))), longestAnswerMs)
    child.on('message', onAnswer)
    child.on('exit', died)
    ask()
  })
}

const isFault = (answer: unknown): answer is { fault: string } => typeof answer === 'object' && answer !== null && 'fault' in answer

/** In the child: answers each command with the result of `act`, and closes down when the bench is done. */
export function serve<Command>(act: (command: Command) => Promise<object>, close: () => Promise<void> = async () => {}): void {
  const session = new Session()
  session.connect()
  const answer = async (command: Command | { profile: 'start' | 'stop' }): Promise<object> => {
    if (typeof command !== 'object' || command === null || !('profile' in command)) return act(command)
    if (command.profile === 'stop') return (await session.post('Profiler.stop')).profile
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    return {}
  }
  process.on('message', (command) => {
    answer(command as Command).then(
      (given) => process.send?.(given),
      (error: unknown) => process.send?.({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.on('disconnect', () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}

/** Wall and CPU time of this process while `work` ran; `count` is how often the thing was done. */
export async function timed(count: number, work: () => Promise<void>): Promise<Round> {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  await work()
  const seconds = (performance.now() - before) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  return { count, seconds, cpuMs: (user + system) / 1000 }
}
