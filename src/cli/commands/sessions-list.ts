import type { CommandFunction } from '../command-row.ts'
import { age } from '../age.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import { plainText } from '../plain-text.ts'

export const run: CommandFunction = async (terminal, given) => {
  const all = await withServer(terminal, ({ client }) => client.sessions.list())
  const sessions = given.on('all') ? all : all.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > Date.now())
  const { words, paint } = terminal
  terminal.result(sessions, () =>
    sessions.length === 0
      ? []
      : columns(
          [
            [words.columns.id, words.columns.lastUsed, words.columns.age, words.columns.name, words.columns.browser].map((text) => ({
              text,
              paint: paint.dim,
            })),
            ...sessions.map(({ id, lastUsedAt, createdAt, expiresAt, revokedAt, name, browser }) => [
              { text: id, paint: paint.bold },
              revokedAt !== null
                ? { text: words.revoked, paint: paint.red }
                : expiresAt <= Date.now()
                  ? { text: words.sessionExpired, paint: paint.dim }
                  : age(lastUsedAt, words),
              age(createdAt, words),
              plainText(name),
              plainText(browser),
            ]),
          ],
          terminal.width,
        ),
  )
  if (sessions.length === 0 && !terminal.json) terminal.say(words.noSessions)
}
