import { Agent, request } from 'node:http'
import { sinceMs } from './build-story.ts'

export type Watched = { latenciesMs: number[]; events: string[] }

type Where = { url: string; token: string }
type Event = { type: string; payload: { text?: string; question_id?: string } }

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

function post<Answer>({ url, token }: Where, path: string, body: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const outgoing = request(`${url}${path}`, { method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () =>
        (response.statusCode ?? 500) < 300
          ? resolve(JSON.parse(text) as Answer)
          : reject(new Error(`${path}: ${response.statusCode} ${text}`)),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

/** One person: starts a build, watches its events, answers what is asked, until it is over. */
export async function person(where: Where, input: { prompt: string; agent?: string }): Promise<Watched> {
  const { build_id: build } = await post<{ build_id: string }>(where, '/v1/builds', input)
  const watched: Watched = { latenciesMs: [], events: [] }
  await new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${where.token}`, accept: 'text/event-stream' }
    const asked = request(`${where.url}/v1/builds/${build}/events`, { headers, agent }, (response) => {
      let open = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        open += text
        for (let end = open.indexOf('\n\n'); end !== -1; end = open.indexOf('\n\n')) {
          const data = /^data: (.*)$/m.exec(open.slice(0, end))?.[1]
          open = open.slice(end + 2)
          if (data !== undefined) take(data)
        }
      })
      response.on('error', reject)
      const take = (data: string): void => {
        watched.events.push(data)
        const { type, payload } = JSON.parse(data) as Event
        const since = type === 'assistant.message.created' ? sinceMs(payload.text ?? '') : null
        if (since !== null) watched.latenciesMs.push(since)
        if (type === 'question.requested')
          post(where, `/v1/builds/${build}/answers`, { question_id: 'q-tone', answer: 'warm' }).catch(reject)
        if (type === 'questions.requested')
          post(where, `/v1/builds/${build}/answers`, { answers: { 'q-name': 'Nori', 'q-time': 'morning' } }).catch(reject)
        if (type === 'session.failed') reject(new Error(`a build failed: ${data}`))
        if (type === 'session.completed') {
          asked.destroy()
          resolve()
        }
      }
    })
    asked.on('error', reject)
    asked.end()
  })
  return watched
}
