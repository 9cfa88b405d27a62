import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Scope } from '../../src/client/index.ts'
import type { Person, RecordedMessage } from '../../src/testing/telegram-emulator/chats.ts'
import type { TelegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'

/** Holds parley.db, the secret it was signed with, and manifest.json. */
export const recordedFolder = (version: Recording): string => fileURLToPath(new URL(`./${version}/`, import.meta.url))

/** Oldest first. Every release adds one. `v0.2` was recorded after roles and approvals were added. */
export const recordings = ['v0.1', 'v0.2'] as const

export type Recording = (typeof recordings)[number]

/** Where things are in the recorded database, and the secrets that open it. The secrets are worth nothing elsewhere. */
export type Manifest = {
  recordedBy: string
  /** Time of the last recorded event; the upgrade test continues shortly after it. */
  recordedAt: number
  dialogs: Record<DialogName, string> & Partial<Record<'approving' | 'granted', string>>
  questions: Record<QuestionName, string> & Partial<Record<'approving', string>>
  builds: Record<'asked' | 'askedSet' | 'cut' | 'tools', { build_id: string; session_id: string }>
  deliveries: Record<'delayed' | 'maybeSent' | 'inFlight', string>
  pairingCode: string
  tokens: { id: string; scopes: Scope[]; token: string }[]
  revokedToken: string
  cookie: string
  usedSignInKey: string
  keys: Record<KeyName, { key: string; result: string }>
  /** Messages of the bot as people last saw them, by chat. */
  chats: Record<string, RecordedMessage[]>
}

export type DialogName =
  | 'choose'
  | 'form'
  | 'later'
  | 'repeat'
  | 'painting'
  | 'askBack'
  | 'slowWork'
  | 'kept'
  | 'stopped'
  | 'failed'
  | 'cut'
  | 'cutTool'
  | 'mia'
  | 'noor'
  | 'lena'
  | 'group'

export type QuestionName = 'choose' | 'form' | 'later' | 'repeat' | 'painting' | 'noor'

export type KeyName = 'open' | 'say' | 'token' | 'build' | 'send' | 'answer'

export const readManifest = (version: Recording): Manifest =>
  JSON.parse(readFileSync(join(recordedFolder(version), 'manifest.json'), 'utf8')) as Manifest

const names = { mia: 2001, noor: 2002, lena: 2003, olga: 2004, ida: 2005, jon: 2006, kim: 2007, eve: 2009 } as const

export type PersonName = keyof typeof names

export const groupId = -1_002_000_000_001

/** The people of the recording and their private chats. Only Eve is a stranger. */
export function invite(telegram: TelegramEmulator): Record<PersonName, Person> {
  const people = Object.fromEntries(
    Object.entries(names).map(([name, id]) => {
      const person = telegram.person({ id, first_name: name, language_code: 'en' })
      telegram.privateChat(person)
      return [name, person]
    }),
  ) as Record<PersonName, Person>
  telegram.group({ id: groupId, title: 'Friends', people: [people.mia, people.noor] })
  return people
}

/** The same project for the recorder and for the code under test. */
export function writeProject(dir: string, telegram: Pick<TelegramEmulator, 'token' | 'url'>): void {
  const members = ['guide', 'helper', 'maker', 'planner'].map((name) => {
    const module = fileURLToPath(new URL(`./agents/${name}.ts`, import.meta.url))
    return `    ${name}:\n      runtime: scripted\n      module: ${JSON.stringify(module)}\n`
  })
  const knownIds = Object.values(names).filter((id) => id !== names.eve)
  writeFileSync(
    join(dir, 'parley.yaml'),
    `limits:
  requestsPerMinute: 1000000
team:
  default: guide
  members:
${members.join('')}channels:
  telegram:
    token: ${JSON.stringify(telegram.token)}
    apiRoot: ${telegram.url}
    allow:
      people: [${knownIds.join(', ')}]
      addresses: ["${groupId}"]
    notify: ["${names.olga}"]
    streaming: false
    rates: { perChatPerSecond: 1000, perGroupPerMinute: 60000, perSecond: 1000 }
plugins:
  reply-end-controls:
    enabled: true
`,
  )
}
