import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A line to PostgreSQL that can be cut. Every process of the campaign connects through it. */
export type FaultyLine = {
  readonly port: number
  /** Ends all connections at once. Returns how many there were. */
  cut(): number
  /** On each open connection the next answer is lost, and the connection with it: what was asked has happened. */
  loseAnswers(): number
  /** Loses the answer to the next request that contains this text, on whichever connection it comes. */
  loseAnswerTo(text: string): void
  close(): Promise<void>
}

type Pair = { client: Socket; server: Socket; losesAnswer: boolean }

export async function faultyLine(target: number): Promise<FaultyLine> {
  const pairs = new Set<Pair>()
  let trigger: string | null = null
  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
  const line = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    const pair: Pair = { client, server, losesAnswer: false }
    pairs.add(pair)
    client.on('data', (bytes) => {
      if (trigger !== null && bytes.includes(trigger)) {
        trigger = null
        pair.losesAnswer = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (pair.losesAnswer) end(pair)
      else client.write(bytes)
    })
    for (const socket of [client, server]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  return {
    port: (line.address() as AddressInfo).port,
    cut() {
      const all = [...pairs]
      all.forEach(end)
      return all.length
    },
    loseAnswers() {
      for (const pair of pairs) pair.losesAnswer = true
      return pairs.size
    },
    loseAnswerTo(text) {
      trigger = text
    },
    close: () =>
      new Promise((resolve) => {
        for (const pair of pairs) end(pair)
        line.close(() => resolve())
      }),
  }
}
