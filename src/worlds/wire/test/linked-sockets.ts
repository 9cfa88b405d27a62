import type { Socket, SocketListener } from '../socket.ts'

export type Link = {
  member: Socket
  host: Socket
  /** Both ends learn that the connection is gone. */
  cut(): void
  /** Texts that are lost from now on, by direction. */
  lose: { toHost: boolean; toMember: boolean }
  closed: { code: number; reason: string } | null
}

/** Two ends of one connection in this process. Texts arrive in the next turn of the loop. */
export function linkedSockets(): Link {
  const listeners: { member: SocketListener | null; host: SocketListener | null } = { member: null, host: null }
  let isCut = false
  const early = { member: [] as string[], host: [] as string[] }
  const link: Link = {
    closed: null,
    lose: { toHost: false, toMember: false },
    cut() {
      isCut = true
      close(1006, 'cut')
    },
    member: end('member', 'host'),
    host: end('host', 'member'),
  }
  function close(code: number, reason: string): void {
    if (link.closed) return
    link.closed = { code, reason }
    setImmediate(() => {
      listeners.member?.closed(code, reason)
      listeners.host?.closed(code, reason)
    })
  }
  function deliver(to: 'member' | 'host', text: string): void {
    const listener = listeners[to]
    if (listener) listener.text(text)
    else early[to].push(text)
  }
  function end(own: 'member' | 'host', other: 'member' | 'host'): Socket {
    return {
      send(text) {
        if (link.closed || (other === 'host' ? link.lose.toHost : link.lose.toMember)) return
        setImmediate(() => isCut || deliver(other, text))
      },
      close,
      bufferedBytes: () => 0,
      attach(listener) {
        listeners[own] = listener
        for (const text of early[own].splice(0)) listener.text(text)
      },
    }
  }
  return link
}
