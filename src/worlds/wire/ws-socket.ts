import { type RawData, WebSocket } from 'ws'
import { protocolId } from './frames.ts'
import type { Socket } from './socket.ts'
import type { WireLimits } from './wire-limits.ts'

const closedAbnormally = 1006
const closeGraceMs = 5_000

/** A WebSocket of the `ws` package as a socket of this protocol. */
export function wsSocket(socket: WebSocket): Socket {
  return {
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close(code, reason) {
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), closeGraceMs).unref()
    },
    bufferedBytes: () => socket.bufferedAmount,
    attach({ text, closed }) {
      socket.on('message', (data: RawData, isBinary) => {
        if (isBinary) return socket.close(1003, 'text only')
        text(Buffer.isBuffer(data) ? data.toString('utf8') : '')
      })
      socket.on('close', (code, reason) => closed(code, reason.toString()))
      // The close event follows.
      socket.on('error', () => {})
    },
  }
}

/** Connects to the WebSocket of a host. */
export const wsDial = (host: string, limits: WireLimits) => (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${host.replace(/^http/, 'ws')}/ws`, protocolId, {
      maxPayload: limits.hostFrameBytes,
      handshakeTimeout: limits.authMs,
      followRedirects: false,
      perMessageDeflate: false,
    })
    const opened = wsSocket(socket)
    // Frames may come with the handshake: they wait for the first listener.
    const early: string[] = []
    let listener: Parameters<Socket['attach']>[0] | null = null
    opened.attach({
      text: (text) => (listener ? listener.text(text) : early.push(text)),
      closed(code, reason) {
        if (listener) listener.closed(code, reason)
        else reject(new Error(`closed with ${code || closedAbnormally} ${reason}`))
      },
    })
    socket.once('open', () =>
      resolve({
        ...opened,
        attach(next) {
          listener = next
          for (const text of early.splice(0)) next.text(text)
        },
      }),
    )
  })
