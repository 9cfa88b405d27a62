/**
 * The live connection without any library: the same code runs in a browser and in Node. One socket follows as many
 * dialogs as you like; after a drop, follow again with the number of the last event you have.
 */
type Event = { seq: number; type: string; data: { text?: string } }
type Frame =
  | { type: 'events'; events: Event[] }
  | { type: 'delta'; delta: { text: string } }
  | { type: 'welcome' | 'live' | 'changed' | 'pong' }

export function follow(url: string, token: string, dialog: string, onEvent: (event: Event) => void): () => void {
  let last = 0
  let isOver = false
  let socket: WebSocket

  const connect = (): void => {
    // A browser cannot set headers on a WebSocket, so the token travels as a subprotocol. A signed-in page needs none.
    socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/live`, ['parley.live', `parley.bearer.${token}`])
    socket.onopen = () => socket.send(JSON.stringify({ type: 'follow', stream: dialog, after: last }))
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame
      if (frame.type !== 'events') return
      for (const event of frame.events) {
        if (event.seq <= last) continue
        last = event.seq
        onEvent(event)
      }
    }
    socket.onclose = () => {
      if (!isOver) setTimeout(connect, 500 + Math.random() * 500)
    }
  }
  connect()
  return () => {
    isOver = true
    socket.close()
  }
}
