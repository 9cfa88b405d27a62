import type { HostTurn, RequestView } from '../../ports/worlds.ts'
import type { Language } from '../../shapes/language.ts'
import type { TranscriptFormat } from '../../shapes/worlds.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { hidePrivate } from '../rules/boundary/leak-filter.ts'
import { formatIdentity } from '../rules/identity/public-identity.ts'

type Transcript = { you: string; request: RequestView; turns: readonly HostTurn[]; language: Language; isFull: boolean }

/**
 * A conversation as its owner hands it on: what both sides said, and how it ended. Brief and report are not in it. Unless it is
 * full, e-mail addresses, telephone numbers, keys and ids are replaced, whichever side wrote them.
 */
export function renderTranscript({ you, request, turns, language, isFull }: Transcript, format: TranscriptFormat): string {
  const texts = worldOwnerTexts[language]
  const peer = formatIdentity(request.counterparty)
  const hide = (text: string): string => (isFull ? text : hidePrivate(text, (kind) => `[${texts.leaks[kind]}]`))
  const world = request.world?.displayName ?? null
  const end = request.end && texts.ends[request.end.reason]
  const said = turns.map(({ turn, side, author, text, at }) => ({
    turn,
    from: side === request.side ? you : peer,
    author,
    text: hide(text),
    at: new Date(at).toISOString(),
  }))
  if (format === 'jsonl') {
    const about = { type: 'conversation', you, peer, world, purpose: request.purpose === null ? null : hide(request.purpose) }
    const lines = [about, ...said.map((turn) => ({ type: 'turn', ...turn })), { type: 'end', turns: turns.length, reason: end }]
    return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  }
  const facts = [...(world === null ? [] : [world]), ...(request.purpose === null ? [] : [hide(request.purpose)])]
  return `${[
    `# ${escapeHeading(`${you} · ${peer}`)}`,
    ...facts.map(quote),
    // Quoted line by line: the words of a stranger open no heading, list or fence of this file.
    ...said.map(({ turn, from, at, text }) => `**${turn}. ${escapeHeading(from)}** · ${at}\n\n${quote(text)}`),
    ...(end === null ? [] : [texts.transcriptEnd(end)]),
  ].join('\n\n')}\n`
}

const quote = (text: string): string =>
  text
    .split(/\r\n?|\n|\u2028|\u2029/)
    .map((line) => `> ${line.replace(/[\\`*_[\]<>#|~]/g, '\\$&')}`)
    .join('\n')

const escapeHeading = (text: string): string => text.replace(/[\\`*_[\]<>]/g, '\\$&')
