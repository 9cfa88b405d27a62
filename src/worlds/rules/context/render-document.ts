import { worldDocumentTexts } from '../../../words/index.ts'
import { cleanPeerText, fenced } from '../boundary/peer-text.ts'
import { formatIdentity } from '../identity/public-identity.ts'
import { worldLimits } from '../world-limits.ts'
import type { DocumentTexts } from './document-texts.ts'
import { policySections } from './policy-sections.ts'
import { renderTask, type Task } from './render-task.ts'
import { bullets, type Section, section, writeSections } from './sections.ts'
import { type ContextSnapshot, type Participant, readValue } from './snapshot.ts'

/**
 * The moments in which a channel agent is given something to read.
 *
 * | moment          | document |
 * |-----------------|----------|
 * | kickoff         | Background, Policy, Task Instruction |
 * | opener          | Background, Policy, Live Turn, then the text of the peer |
 * | turn            | none, or the Task Instruction of this turn; then the text of the peer |
 * | queued          | Live Turn, then the text of the peer |
 * | refresh         | Background, Policy, Task Instruction if any, Live Turn, then the text of the peer |
 *
 * A new intent in a session that had one before begins again with `kickoff` or `opener`.
 */
export type Moment = 'kickoff' | 'opener' | 'turn' | 'queued' | 'refresh'

export type DocumentInput = {
  snapshot: ContextSnapshot
  moment: Moment
  task: Task | null
  /** Texts of the peer, oldest first; the last one is the current turn. */
  turns: readonly string[]
  /** Random and new for each delivery. */
  boundary: string
}

/** `document` goes into the system slot and is trusted; `data` is the text of the peer and never is. Null: nothing to say there. */
export type AgentInput = { document: string | null; data: string | null }

export function renderAgentInput(input: DocumentInput): AgentInput {
  const { snapshot, moment, task, turns, boundary } = input
  const texts = worldDocumentTexts[snapshot.language]
  const isBaseline = moment === 'kickoff' || moment === 'opener' || moment === 'refresh'
  const sections = [
    ...(isBaseline ? [background(snapshot, texts, moment, boundary), policySections(snapshot, texts, moment)] : []),
    ...(task ? [renderTask(task, texts)] : []),
    ...(isBaseline || turns.length > 1 ? [liveTurn(turns, texts, boundary)] : []),
  ]
  const document = writeSections(sections, 1)
  const current = turns.at(-1)
  const data =
    current === undefined ? null : `<peer-text ${boundary}>\n${cleanPeerText(current, worldLimits.turnChars)}\n</peer-text ${boundary}>`
  return { document: document === '' ? null : document, data }
}

function background(snapshot: ContextSnapshot, texts: DocumentTexts, moment: Moment, boundary: string): Section {
  const { facts, brief, additional, world: worldField, you, peer, intent, canary } = snapshot
  const world = readValue(worldField)
  const untrusted = (text: string | null, limit: number): string | null => (text === null ? null : fencedData(text, limit, boundary))
  const own = (text: string | null): string | null => (text === null || text === '' ? null : fenced(text))
  const purpose = snapshot.side === 'recipient' ? readValue(facts.purpose) : null
  return section('Background', null, [
    section(
      'Conversation Facts',
      bullets([
        `Intent ID: \`${intent}\``,
        `Mode: ${texts.facts.modes[facts.mode]}`,
        ...(world ? [`World: ${oneLine(world.name)} (\`${world.world}\`)`] : []),
        `Origin Type: \`${facts.origin}\``,
        ...(facts.replyPolicy === 'any' ? [] : [texts.facts.replyPolicy[facts.replyPolicy]]),
        ...(moment === 'refresh' ? [texts.facts.refresh] : []),
        `Document Reference: \`${canary}\``,
      ]),
    ),
    section('Request Brief', own(readValue(brief)), [
      section('Announcement Semantics', facts.origin === 'world_broadcast' ? texts.facts.broadcast : null),
    ]),
    section(
      'Additional Intent Context',
      own(readValue(additional)) ??
        (purpose === null ? null : `${texts.facts.purpose}\n\n${fencedData(purpose, worldLimits.purposeChars, boundary)}`),
    ),
    section(
      'World Facts',
      world &&
        bullets([`World Name: ${oneLine(world.name)}`, `World ID: \`${world.world}\``, texts.facts.identityMode[world.identityMode]]),
      [section('World Context', world && untrusted(world.text, worldLimits.worldTextChars))],
    ),
    section('Participant Facts', world && bullets([texts.facts.profiles])),
    participant('You', you, own),
    participant('Peer', peer, (text) => untrusted(text, worldLimits.joinTextChars)),
  ])
}

function participant(name: 'You' | 'Peer', who: Participant, show: (text: string | null) => string | null): Section {
  return section(name, bullets([`Identity: \`${oneLine(formatIdentity(who))}\``]), [
    section('Global Profile', show(readValue(who.profile) || null)),
    section('World Membership Profile', show(readValue(who.membership) || null)),
  ])
}

/** Text of strangers inside the document: cleaned, fenced, and marked as what it is. */
function fencedData(text: string, limit: number, boundary: string): string {
  const [first, ...rest] = fenced(cleanPeerText(text, limit)).split('\n')
  return [`${first}data ${boundary}`, ...rest].join('\n')
}

const oneLine = (text: string): string => text.replace(/[\s`]+/g, ' ').trim()

function liveTurn(turns: readonly string[], texts: DocumentTexts, boundary: string): Section {
  if (turns.length === 0) return section('Live Turn', null)
  const queued = turns.slice(0, -1)
  return section('Live Turn', null, [
    section(
      'Earlier Queued Turns',
      queued.length === 0 ? null : texts.P8,
      queued.map((text, index) => section(`Queued Turn ${index + 1}`, fencedData(text, worldLimits.turnChars, boundary))),
    ),
    section('Current Turn', texts.currentTurn(boundary)),
  ])
}
