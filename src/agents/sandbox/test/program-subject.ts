import type { AgentSubject } from '../../../testing/agent-contract.ts'
import { type CommandOptions, commandRuntime } from '../../runtimes/command.ts'

const node = (script: string): string[] => [process.execPath, '-e', script]

/** A program as the contract of agents wants it. */
export const programSubject = (parts: Omit<CommandOptions, 'command'>): AgentSubject => ({
  says: (words) => commandRuntime({ ...parts, command: node(`console.log(${JSON.stringify(words)})`) }),
  hangs: () => commandRuntime({ ...parts, command: node(`console.log('one'); setInterval(() => {}, 1000)`) }),
  fails: () => commandRuntime({ ...parts, command: node(`console.log('one'); console.error('broken'); process.exitCode = 3`) }),
  close: async () => {},
})
