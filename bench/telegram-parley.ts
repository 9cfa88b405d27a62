import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startParley } from '../src/app/serve.ts'
import { serve } from './contender.ts'
import { sinceMark } from './telegram-mark.ts'
import { caller } from './words.ts'

/** The whole server, with an agent that answers at once. Every update is durable before it is acknowledged, and so is every reply. */
const [folder = '', url = '', token = ''] = process.argv.slice(2)
const here = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))
writeFileSync(
  join(folder, 'parley.yaml'),
  `channels:
  telegram:
    token: "${token}"
    apiRoot: ${url}
    allow: { people: ["*"] }
    rates: { perChatPerSecond: 10000, perSecond: 10000 }
team:
  members:
    echo: { runtime: scripted, module: ${here('telegram-echo.ts')} }
plugins:
  tap: { module: ${here('telegram-tap.ts')} }
`,
)
const running = await startParley({ dir: folder, port: 0, fast: true })
const problems = running.problems()
if (problems.length > 0) throw new Error(problems.join('\n'))

serve<{ mark: true } | { buttons: number[] }>(
  async (command): Promise<object> => {
    if ('mark' in command) return sinceMark()
    for (const chat of command.buttons) {
      const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Tap', value: 'bench:1', reusable: true }] }] }
      const { delivery } = await running.messaging.messages.send(
        { target: String(chat), message: 'Here is a button', presentation },
        caller,
        10_000,
      )
      if (delivery.state !== 'sent') throw new Error(`the button was not sent: ${delivery.error?.message ?? delivery.state}`)
    }
    return {}
  },
  () => running.close(),
)
