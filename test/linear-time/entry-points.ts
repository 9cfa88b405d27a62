import { directoryRules } from '../../src/agents/workspace/directory-rules.ts'
import { globPattern } from '../../src/agents/workspace/glob.ts'
import { withoutFrontMatter } from '../../src/agents/minds/mind-of.ts'
import { lastLines } from '../../src/agents/runtimes/command.ts'
import { EventStream } from '../../src/agents/runtimes/event-stream.ts'
import { GatheredCalls } from '../../src/agents/runtimes/gathered-calls.ts'
import { plainLine } from '../../src/agents/runtimes/plain-text.ts'
import { programOutput } from '../../src/agents/runtimes/program-output.ts'
import { agentLines, readLine } from '../../src/build/agent-lines.ts'
import { checkBuildLog } from '../../src/build/check-log.ts'
import { cleanText } from '../../src/build/clean-text.ts'
import { readAnswers, readTurnMessage, writeTurnMessage } from '../../src/build/header.ts'
import { joinLines } from '../../src/build/join-lines.ts'
import { jsonValues } from '../../src/build/json-values.ts'
import { guardPrompt, guardWords } from '../../src/build/words/guard.ts'
import { telegramCapabilities } from '../../src/channels/telegram/capabilities.ts'
import { markdownToHtml } from '../../src/channels/telegram/html.ts'
import { renderTelegram } from '../../src/channels/telegram/render.ts'
import { slashOf } from '../../src/cli/chat/slash.ts'
import { columns, fit } from '../../src/cli/columns.ts'
import { oneLine, plainText } from '../../src/cli/plain-text.ts'
import { parseTarget } from '../../src/cli/target.ts'
import { indented } from '../../src/cli/word-wrap.ts'
import { fillVariables } from '../../src/config/variables.ts'
import { isSlug, withoutMarker } from '../../src/dialog/tellask.ts'
import { wordsOf, wordsOfTap } from '../../src/inbound/inbound-words.ts'
import { decodeAction } from '../../src/message/action-value.ts'
import { normaliseMessage } from '../../src/message/normalise.ts'
import { textReading } from '../../src/message/text-reading.ts'
import { lineOf, textOf, urlOf } from '../../src/message/untrusted.ts'
import { readReply } from '../../src/messaging/question-reply.ts'
import { changeBetween } from '../../src/plugins/json-change.ts'
import { adapt } from '../../src/presentation/adapt.ts'
import { cutLabel } from '../../src/presentation/measure.ts'
import { previewTokens } from '../../src/presentation/preview-tokens.ts'
import { splitOnce } from '../../src/presentation/split-text.ts'
import { parseBody } from '../../src/server/body.ts'
import { operatorLog } from '../../src/server/log.ts'
import { site } from '../../src/server/same-site.ts'
import { whoAsks } from '../../src/server/sign-in.ts'
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
  { name: 'joinLines', run: joinLines },
  { name: 'cleanText', run: cleanText },
  { name: 'readTurnMessage', run: (text) => readTurnMessage(writeTurnMessage({ ...ids, type: 'BUILD_REQUEST' }, text, [text]), ids) },
  { name: 'readTurnMessage of headers', run: (text) => readTurnMessage(`[FROM:TIDY]\n${text}`, ids) },
  { name: 'readAnswers', run: (text) => readAnswers(text, ['q', '1', 'a']) },
  { name: 'readLine', run: readLine },
  { name: 'readLine of an object', run: (text) => readLine(`{"type":"x"} ${text}`) },
  { name: 'jsonValues', run: jsonValues },
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
  { name: 'guardPrompt', run: (text) => guardPrompt(text, text) },
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
  { name: 'textOf, lineOf and urlOf', run: (text) => [textOf(text), lineOf(text), urlOf(text)] },
  { name: 'decodeAction', run: decodeAction },
  { name: 'readReply', run: (text) => readReply(question, text) },
  {
    name: 'wordsOf',
    run: (text) => [wordsOf('c', { text, media: [{ kind: 'file', name: text, fileId: 'f' }] } as never), wordsOfTap(text, text)],
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
  { name: 'slashOf', run: (text) => [slashOf(text), slashOf(`/answer ${text}`)] },
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
