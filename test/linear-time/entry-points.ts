import { directoryRules } from '../../src/agents/workspace/directory-rules.ts'
import { globPattern } from '../../src/agents/workspace/glob.ts'
import { withoutFrontMatter } from '../../src/agents/minds/read-mind.ts'
import { readCalls } from '../../src/agents/models/read-calls.ts'
import { readTextCalls } from '../../src/agents/models/text-calls.ts'
import { readOverflow } from '../../src/agents/models/overflow.ts'
import { readFault } from '../../src/agents/models/provider-fault.ts'
import { lastLines } from '../../src/agents/runtimes/command.ts'
import { EventStream } from '../../src/agents/wires/event-stream.ts'
import { GatheredCalls } from '../../src/agents/wires/gathered-calls.ts'
import { plainLine } from '../../src/agents/runtimes/plain-text.ts'
import { programOutput } from '../../src/agents/runtimes/program-output.ts'
import { agentLines, readLine } from '../../src/builds/rules/agent-lines.ts'
import { checkBuildLog } from '../../src/builds/rules/check-log.ts'
import { cleanText } from '../../src/builds/rules/clean-text.ts'
import { readAnswers, readTurnMessage, writeTurnMessage } from '../../src/builds/rules/header.ts'
import { joinLines } from '../../src/builds/rules/join-lines.ts'
import { jsonValues } from '../../src/builds/rules/json-values.ts'
import { guardPrompt, guardWords } from '../../src/builds/rules/words/guard.ts'
import { telegramCapabilities } from '../../src/chats/channels/telegram/capabilities.ts'
import { markdownToHtml } from '../../src/chats/channels/telegram/html.ts'
import { renderTelegram } from '../../src/chats/channels/telegram/render.ts'
import { getSlash } from '../../src/cli/chat/slash.ts'
import { columns, fit } from '../../src/cli/columns.ts'
import { oneLine, plainText } from '../../src/cli/plain-text.ts'
import { parseTarget } from '../../src/cli/target.ts'
import { indented } from '../../src/cli/word-wrap.ts'
import { fillVariables } from '../../src/app/config/variables.ts'
import { isSlug, withoutMarker } from '../../src/dialogs/rules/tellask.ts'
import { toMessageText } from '../../src/chats/bindings/inbound-text.ts'
import { toTapText } from '../../src/chats/message/tap-text.ts'
import { decodeAction } from '../../src/chats/message/action-value.ts'
import { normaliseMessage } from '../../src/chats/message/normalise.ts'
import { textReading } from '../../src/chats/message/text-reading.ts'
import { toLine, getText, toUrl } from '../../src/chats/message/untrusted.ts'
import { readReply } from '../../src/chats/inbound/question-reply.ts'
import { changeBetween } from '../../src/plugins/host/json-change.ts'
import { readAgentOutput } from '../../src/worlds/rules/boundary/agent-output.ts'
import { readAnnouncement } from '../../src/worlds/rules/boundary/announce.ts'
import { textForPeople } from '../../src/worlds/rules/boundary/conversation-tokens.ts'
import { findLeaks } from '../../src/worlds/rules/boundary/leak-filter.ts'
import { cleanPeerText, fenced } from '../../src/worlds/rules/boundary/peer-text.ts'
import { foldLookAlikes } from '../../src/worlds/rules/identity/look-alike.ts'
import { checkDisplayName, parseIdentity } from '../../src/worlds/rules/identity/public-identity.ts'
import { printTurn } from '../../src/worlds/rules/loop-stop.ts'
import { adapt } from '../../src/chats/presentation/adapt.ts'
import { cutLabel } from '../../src/chats/presentation/measure.ts'
import { previewTokens } from '../../src/chats/presentation/preview-tokens.ts'
import { splitOnce } from '../../src/chats/presentation/split-text.ts'
import { parseBody } from '../../src/server/body.ts'
import { operatorLog } from '../../src/server/log.ts'
import { site } from '../../src/server/auth/same-site.ts'
import { whoAsks } from '../../src/server/auth/sign-in.ts'
import { line, text as serverText } from '../../src/server/text.ts'
import { decodeEntities } from '../../web/src/markdown/entities.ts'
import { plainPreview } from '../../web/src/lists/plain-preview.ts'

export type EntryPoint = { name: string; run: (text: string) => unknown }

const ids = { build: 'b1', session: 's1' }
const question = {
  text: '',
  items: ['q', '1'].map((id) => ({ id, text: id, kind: 'choice' as const, options: [{ value: 'a', label: 'A' }] })),
}
const access = { cookieName: 'parley', checkCookie: () => null, checkToken: async () => null }
const ours = site(() => '127.0.0.1', [])
const rules = directoryRules(
  '/',
  { readDirs: ['**/*.md', 'a/**/b/**/c'], writeDirs: ['**'] },
  { root: '/', hidden: ['/data'], fixed: ['/fixed'], foldsCase: true },
)
const log = operatorLog({ write: () => {}, isPretty: false })

function splitAll(text: string, limit: number): number {
  let [parts, rest] = [0, text]
  for (; rest.length > limit; parts += 1) [, rest] = splitOnce(rest, limit, 'utf16-units')
  return parts
}

/** Bytes in pieces of 7, as a slow peer sends them. */
const inPieces = (text: string): Buffer[] => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => bytes.subarray(index * 7, index * 7 + 7))
}

/** The text itself where it is no JSON, or deeper than the stack. */
const parsed = (text: string): unknown => {
  try {
    return text.startsWith('[[') ? text : JSON.parse(text)
  } catch {
    return text
  }
}

export const entryPoints: readonly EntryPoint[] = [
  { name: 'readAgentOutput', run: readAgentOutput },
  { name: 'readAnnouncement', run: (text) => readAnnouncement(text, 'default') },
  { name: 'textForPeople', run: (text) => textForPeople(text) },
  { name: 'cleanPeerText', run: (text) => fenced(cleanPeerText(text, 1e9)) },
  { name: 'findLeaks', run: (text) => findLeaks(text, { canary: 'k7mqx2vbn4tzr9whd6pc', secretTexts: [text], approvedTexts: [text] }) },
  { name: 'printTurn', run: (text) => printTurn([printTurn([], 1, 0, text)], 2, 0, text) },
  { name: 'checkDisplayName', run: (text) => [checkDisplayName(text), parseIdentity(text), foldLookAlikes(text)] },
  { name: 'joinLines', run: joinLines },
  { name: 'cleanText', run: cleanText },
  { name: 'readTurnMessage', run: (text) => readTurnMessage(writeTurnMessage({ ...ids, type: 'BUILD_REQUEST' }, text, [text]), ids) },
  { name: 'readTurnMessage of headers', run: (text) => readTurnMessage(`[FROM:TIDY]\n${text}`, ids) },
  { name: 'readAnswers', run: (text) => readAnswers(text, ['q', '1', 'a']) },
  { name: 'readLine', run: readLine },
  { name: 'readLine of an object', run: (text) => readLine(`{"type":"x"} ${text}`) },
  { name: 'jsonValues', run: jsonValues },
  {
    name: 'readCalls',
    run: (text) =>
      readCalls(
        ['', '{', '```json\n', '{"a":1}'].map((start) => ({ id: text, name: text, input: start + text })),
        { tools: ['read_file', 'grep'], callIds: 'common', taken: [], seed: '1_1' },
      ),
  },
  {
    name: 'readTextCalls',
    run: (text) => [readTextCalls(`<tool_call>${text}`, ['grep']), readTextCalls(`\`\`\`\n${text}\`\`\``, ['grep'])],
  },
  { name: 'readOverflow', run: (text) => readOverflow(readFault(400, text), { estimateTokens: 1, windowTokens: 1 }) },
  {
    name: 'agentLines',
    run(text) {
      const lines = agentLines()
      for (const piece of inPieces(text)) lines.push(piece)
      return lines.end()
    },
  },
  { name: 'checkBuildLog', run: (text) => checkBuildLog(text.split('\n')) },
  { name: 'guardWords', run: (text) => guardWords(text, { own: text, step: { words: [text], at: 1 }, at: 1 }) },
  { name: 'guardPrompt', run: (text) => guardPrompt(text, { own: text }) },
  { name: 'markdownToHtml', run: (text) => markdownToHtml(text, { left: 100 }) },
  { name: 'markdownToHtml without entities left', run: (text) => markdownToHtml(text, { left: 0 }) },
  { name: 'markdownToHtml of a quote', run: (text) => markdownToHtml(`> ${text}`, { left: 1_000_000 }) },
  {
    name: 'adapt and renderTelegram',
    run(text) {
      const { adapted } = adapt({ text }, telegramCapabilities.presentation, previewTokens)
      return renderTelegram(adapted, { address: '42' })
    },
  },
  { name: 'splitOnce to 4096', run: (text) => splitAll(text, 4_096) },
  { name: 'splitOnce to 1024', run: (text) => splitAll(text, 1_024) },
  { name: 'cutLabel', run: (text) => cutLabel(text, 64, 'utf8-bytes') },
  {
    name: 'normaliseMessage',
    run: (text) => normaliseMessage({ text, media: [{ url: text }], presentation: { title: text, blocks: [{ type: 'text', text }] } }),
  },
  {
    name: 'textReading',
    run: (text) =>
      textReading({
        text,
        presentation: {
          title: text,
          blocks: [
            { type: 'context', text },
            { type: 'buttons', buttons: [{ label: text, action: { type: 'copy-text', text } }] },
          ],
        },
      }),
  },
  { name: 'getText, toLine and toUrl', run: (text) => [getText(text), toLine(text), toUrl(text)] },
  { name: 'decodeAction', run: decodeAction },
  { name: 'readReply', run: (text) => readReply(question, text, '2026-11-17') },
  {
    name: 'toWords',
    run: (text) => [toMessageText('c', { text, media: [{ kind: 'file', name: text, fileId: 'f' }] } as never), toTapText(text, text)],
  },
  { name: 'isSlug and withoutMarker', run: (text) => [isSlug(text), withoutMarker(text), withoutMarker(`【a】${text}`)] },
  { name: 'globPattern of many stars', run: (text) => globPattern('**/a*b**c?{d,e}/**/f*g').test(text) },
  { name: 'globPattern made of it', run: (text) => globPattern(text) },
  { name: 'directoryRules', run: (text) => rules.isOpen(text, 'read') },
  { name: 'withoutFrontMatter', run: (text) => [withoutFrontMatter(text), withoutFrontMatter(`---\n${text}`)] },
  { name: 'plainLine', run: plainLine },
  { name: 'lastLines', run: (text) => lastLines(text, { KEY: 'secret' }) },
  {
    name: 'programOutput',
    run(text) {
      const output = programOutput({ maxBytes: 1_000_000, nextCall: String })
      for (const piece of inPieces(text)) for (const each of output.take(piece)) void each
      return [...output.end()]
    },
  },
  {
    name: 'EventStream',
    run(text) {
      const stream = new EventStream()
      for (const piece of inPieces(text)) stream.take(piece)
      return stream.end()
    },
  },
  {
    name: 'GatheredCalls',
    run(text) {
      const calls = new GatheredCalls()
      for (let at = 0; at < text.length; at += 7)
        calls.take({ index: 0, id: '', function: { name: 'f', arguments: text.slice(at, at + 7) } })
      return calls.whole()
    },
  },
  { name: 'changeBetween', run: (text) => changeBetween(parsed(text), [parsed(text)]) },
  { name: 'changeBetween of documents that differ inside', run: (text) => changeBetween(parsed(text), parsed(text.replace('1', '2'))) },
  { name: 'fillVariables', run: (text) => fillVariables(text, { A: 'x' }) },
  { name: 'text and line of the server', run: (text) => [serverText(100_000).safeParse(text), line(100_000).safeParse(text)] },
  {
    name: 'parseBody',
    run(text) {
      try {
        return [parseBody(Buffer.from('{}'), `application/${text}`), parseBody(Buffer.from(text), 'application/json')]
      } catch (error) {
        return error
      }
    },
  },
  {
    name: 'headers',
    run(text) {
      void whoAsks((name) => (name === 'cookie' ? text : undefined), access as never)
      void whoAsks((name) => (name === 'sec-websocket-protocol' ? text : undefined), access as never)
      void whoAsks((name) => (name === 'authorization' ? `Bearer ${text}` : undefined), access as never).catch(() => {})
      try {
        ours.checkHost(() => text)
      } catch (error) {
        return error
      }
      return null
    },
  },
  { name: 'operatorLog', run: (text) => log('error', text, { text, token: text }) },
  { name: 'plainText and oneLine', run: (text) => [plainText(text), oneLine(text)] },
  { name: 'indented', run: (text) => indented(text, 80) },
  { name: 'columns and fit', run: (text) => [columns([[text, text]], 80), fit(text, 80)] },
  { name: 'getSlash', run: (text) => [getSlash(text), getSlash(`/answer ${text}`)] },
  {
    name: 'parseTarget',
    run(text) {
      try {
        return parseTarget(`a${text}`)
      } catch (error) {
        return error
      }
    },
  },
  { name: 'plainPreview', run: plainPreview },
  { name: 'decodeEntities', run: decodeEntities },
]
