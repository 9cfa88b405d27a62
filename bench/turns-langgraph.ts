import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Agent, request } from 'undici'
import { serve, timed, type Round } from './contender.ts'
import { toWords } from './stream-words.ts'
import { words } from './words.ts'

/**
 * The same turns by LangGraph: a graph with one node that sends the whole history to the model, and its PostgreSQL saver. The
 * model is called as by the floor, without an SDK, so that only the framework and its storage are compared.
 */
const [folder = '', model = '', database = ''] = process.argv.slice(2)

type Message = { role: 'user' | 'assistant'; content: string }
type State = { messages: Message[] }
type Invoked = { configurable: { thread_id: string }; durability: string }
type Graph = {
  addNode(name: string, run: (state: State) => Promise<State>): Graph
  addEdge(from: string, to: string): Graph
  compile(options: { checkpointer: object }): { invoke(input: State, options: Invoked): Promise<State> }
}
type LangGraph = {
  Annotation: { (options: { reducer(a: Message[], b: Message[]): Message[]; default(): Message[] }): object; Root(fields: object): object }
  StateGraph: new (state: object) => Graph
  START: string
  END: string
}
type Saver = { PostgresSaver: { fromConnString(url: string): { setup(): Promise<void>; end(): Promise<void> } } }

/** The packages are in a folder of the bench, not among the dependencies of Parley, so their types are not known here. */
const { resolve } = createRequire(join(folder, 'package.json'))
const load = async <Module>(name: string): Promise<Module> => (await import(pathToFileURL(resolve(name)).href)) as Module
const { Annotation, StateGraph, START, END } = await load<LangGraph>('@langchain/langgraph')
const { PostgresSaver } = await load<Saver>('@langchain/langgraph-checkpoint-postgres')

const saver = PostgresSaver.fromConnString(database)
await saver.setup()
const dispatcher = new Agent({ connections: 256 })
const headers = { 'content-type': 'application/json' }

async function callModel({ messages }: State): Promise<State> {
  const body = JSON.stringify({ model: 'instant', stream: true, messages })
  const { statusCode, body: reply } = await request(`${model}/chat/completions`, { method: 'POST', headers, body, dispatcher })
  const text = await reply.text()
  if (statusCode !== 200) throw new Error(`the model answered ${statusCode}`)
  return { messages: [{ role: 'assistant', content: toWords(text) }] }
}

const state = Annotation.Root({ messages: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }) })
const graph = new StateGraph(state)
  .addNode('model', callModel)
  .addEdge(START, 'model')
  .addEdge('model', END)
  .compile({ checkpointer: saver })
let total = 0

async function round({ dialogs, turns, durability }: { dialogs: number; turns: number; durability: string }): Promise<Round> {
  const threads = Array.from({ length: dialogs }, () => `dialog-${(total += 1)}`)
  return timed(dialogs * turns, async () => {
    await Promise.all(
      threads.map(async (thread) => {
        for (let turn = 0; turn < turns; turn += 1) {
          const input: State = { messages: [{ role: 'user', content: words(turn) }] }
          const { messages } = await graph.invoke(input, { configurable: { thread_id: thread }, durability })
          if (messages.length !== 2 * turn + 2) throw new Error(`turn ${turn} has ${messages.length} messages`)
        }
      }),
    )
  })
}

serve(round, async () => {
  await dispatcher.close()
  await saver.end()
})
