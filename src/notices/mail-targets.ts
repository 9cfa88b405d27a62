import { authorOfPerson } from '../authority/people.ts'
import type { Policy } from '../authority/policy.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Language } from '../shapes/language.ts'
import { noticeWords } from '../words/index.ts'
import type { NoticeTarget, NoticeTargets } from './notifier.ts'
import type { NoticeText } from './notice-text.ts'
import type { QuietHours } from './quiet-hours.ts'
import { quietUntil } from './quiet-hours.ts'
import { type Mail, sendMail, SmtpFault, type SmtpServer } from './smtp.ts'

/** `mail` of parley.yaml. `to`: the address of each person, by their key; `owner` where no person is listed. */
export type MailSettings = SmtpServer & {
  from: string
  to: Readonly<Record<string, string>>
  language: Language
  shows: 'words' | 'nothing'
  quiet: QuietHours | null
  timeZone: string
}

const prefix = 'mail:'

/**
 * E-mail addresses of people. A mail says what waits and links to it; it has no link that acts, and replies are not read:
 * whoever can read the mailbox of a person must not be able to decide for them.
 */
export function mailTargets(parts: {
  settings: () => MailSettings | null
  policy: () => Policy
  /** The page as others reach it; null where that is not known. */
  pageUrl: () => string | null
  signal: AbortSignal
  clock: Clock
  log: Log
}): NoticeTargets {
  const { settings, policy, pageUrl, signal, clock, log } = parts
  const keys = (): string[] => Object.keys(settings()?.to ?? {})
  return {
    list: async () => keys().map((key) => prefix + key),
    async open(id): Promise<NoticeTarget | null> {
      const own = settings()
      const key = id.slice(prefix.length)
      const to = id.startsWith(prefix) ? own?.to[key] : undefined
      if (!own || to === undefined) return null
      const person = policy().people.find((one) => one.key === key)
      const reader = person
        ? authorOfPerson(person)
        : { id: `person:${key}`, name: key, role: key === 'owner' ? ('owner' as const) : ('guest' as const) }
      const { language, shows, quiet, timeZone, from } = own
      return {
        id,
        reader,
        language,
        shows,
        quietUntil: quietUntil(quiet, timeZone, clock.now()),
        async send(text, about) {
          const domain = from.slice(from.indexOf('@') + 1)
          const mail = {
            from,
            to,
            subject: text.title,
            text: mailText(text, language, pageUrl()),
            id: `${about.replaceAll(/[^\w.-]/g, '.')}.${key}@${domain}`,
            at: clock.now(),
          }
          return sent(own, mail, signal)
        },
        async note(came) {
          if (came.how === 'retry' || came.how === 'refused') log('warn', 'an e-mail could not be sent', { to, why: came.why })
        },
      }
    },
  }
}

async function sent(server: SmtpServer, mail: Mail, signal: AbortSignal): ReturnType<NoticeTarget['send']> {
  try {
    await sendMail(server, mail, signal)
    return { how: 'sent' }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return error instanceof SmtpFault && !error.isTransient ? { how: 'refused', why } : { how: 'retry', why, afterMs: null }
  }
}

function mailText({ body, path }: NoticeText, language: Language, pageUrl: string | null): string {
  const { mail } = noticeWords[language]
  const link = pageUrl === null ? mail.noLink : `${mail.read}\n${pageUrl.replace(/(?<!\/)\/+$/, '')}/${path}`
  return `${body}\n\n${link}\n\n--\n${mail.noReply}\n`
}
