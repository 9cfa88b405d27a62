/** One connection, whatever carries it. Texts arrive whole and in order; after `closed` nothing more comes. */
export type Socket = {
  send(text: string): void
  close(code: number, reason: string): void
  bufferedBytes(): number
  /** Called once, before anything can arrive. */
  attach(listener: SocketListener): void
}

export type SocketListener = { text(text: string): void; closed(code: number, reason: string): void }
