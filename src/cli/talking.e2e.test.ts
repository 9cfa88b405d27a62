import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { questionsIn } from '../client/questions-in.ts'
import type { DialogDetail, EventView, Inbox, Page, QuestionView, SearchPage } from '../shapes/wire.ts'
import { cliFolder, type Spawned } from './testing/spawned.ts'
import type { TreeNode } from './tree-lines.ts'

const cli = cliFolder()
let server: { url: string; port: string; process: Spawned }
before(async () => {
  server = await cli.serve()
})
after(() => cli.close())

type Sent = { dialog: string; status: string; replies: { text: string }[]; questions: (QuestionView & { answerWith: string })[] }

describe('send, answer, dialogs', () => {
  let dialog = ''
  let question = ''

  test('send without --wait prints the id of the dialog and nothing else', async () => {
    const { code, out, err } = await cli.run('send', 'hello')
    assert.equal(code, 0)
    assert.match(out, /^dlg_\w+\n$/)
    assert.match(err, /parley dialogs tail dlg_/)
    const quiet = await cli.run('send', 'hello', '--quiet')
    assert.equal(quiet.err, '')
  })

  test('send --wait ends with 5 when the agent asks, with the question on stdout and the way to answer it beside', async () => {
    const { code, out, err } = await cli.run('send', 'hello', '--wait')
    assert.equal(code, 5)
    assert.match(out, /Hello, I am Ada/)
    assert.match(out, /\? ada asks you: What should the reading list be for\?/)
    assert.match(err, /Answer with: parley answer q_\w+ --choice 'learn\|work\|fun'/)
  })

  test('the same as one JSON document', async () => {
    const { code, out, err } = await cli.run('send', 'hello again', '--wait', '--json')
    assert.equal(code, 5)
    assert.equal(err, '')
    const response = JSON.parse(out) as Sent
    assert.equal(response.status, 'waiting')
    assert.equal(response.replies.length, 1)
    assert.match(response.questions[0]?.answerWith ?? '', /--choice 'learn\|work\|fun'$/)
    dialog = response.dialog
    question = response.questions[0]?.id ?? ''
  })

  test('search finds what was said, and says when nothing was', async () => {
    const { code, out } = await cli.run('search', 'reading LIST', '--json')
    assert.equal(code, 0)
    const { items, next } = JSON.parse(out) as SearchPage
    assert.equal(next, null)
    assert.ok(items.some(({ kind, by, dialog: where }) => kind === 'question' && by.name === 'ada' && where === dialog))
    const people = await cli.run('search', 'reading list')
    assert.match(people.out, new RegExp(`^${dialog} .*ada`, 'm'))
    const nothing = await cli.run('search', '没有人说过')
    assert.deepEqual([nothing.code, nothing.out], [0, ''])
    assert.match(nothing.err, /Nothing was found/)
    const refused = await cli.run('search', '?')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /no letters or digits/)
  })

  test('text comes from stdin with -', async () => {
    const { code, out } = await cli.with({ input: 'from a pipe\n' }, 'send', '-', '--wait', '--json')
    assert.equal(code, 5)
    const detail = await cli.json<DialogDetail & { events: EventView[] }>('dialogs', 'show', (JSON.parse(out) as Sent).dialog)
    assert.deepEqual(
      detail.events
        .filter(({ type }) => type === 'message.said')
        .map(({ data }) => ('text' in data ? data.text : null))
        .slice(0, 1),
      ['from a pipe'],
    )
  })

  test('without a terminal, answer names the flags of this very question', async () => {
    const { code, out, err } = await cli.run('answer', question)
    assert.equal(code, 2)
    assert.equal(out, '')
    assert.match(err, new RegExp(`parley answer ${question} --choice 'learn\\|work\\|fun'`))
  })

  test('a choice that does not exist is refused and changes nothing', async () => {
    const { code, out, err } = await cli.run('answer', question, '--choice', 'sleep', '--json')
    assert.equal(code, 1)
    assert.equal(out, '')
    const { error } = JSON.parse(err) as { error: { code: string; message: string; hint: string; docs: string } }
    assert.equal(error.code, 'not_a_choice')
    assert.match(error.message, /learn, work, fun/)
    assert.equal(error.docs, 'docs/ERRORS.md#not_a_choice')
  })

  test('answering goes on; a second answer is told who was first', async () => {
    const answered = await cli.run('answer', question, '--choice', 'fun')
    assert.equal(answered.code, 0, answered.err)
    assert.match(answered.out, /Just for fun/)
    const late = await cli.run('answer', question, '--choice', 'work')
    assert.equal(late.code, 1)
    assert.match(late.err, /already answered/)
  })

  test('tail --until-rest follows to the next question, which is answered as a set', async () => {
    const tail = await cli.run('dialogs', 'tail', dialog, '--until-rest')
    assert.equal(tail.code, 5)
    assert.match(tail.out, /How much do you want to read\?/)
    const inbox = await cli.json<Inbox>('inbox', 'list')
    const next = questionsIn(inbox).find((one) => one.dialog === dialog)?.id ?? ''
    const alone = await cli.run('answer', next, '--choice', 'calm')
    assert.equal(alone.code, 2)
    assert.match(alone.err, /a set of 2 questions; --choice answers one alone\.\n.*Answer each by its id: parley answer \S+ --set pace=/)
    const half = await cli.run('answer', next, '--set', 'pace=calm')
    assert.equal(half.code, 1)
    assert.match(half.err, /There is no answer for "topic"/)
    const whole = await cli.run('answer', next, '--set', 'pace=calm', '--set', 'topic=a=b cities')
    assert.equal(whole.code, 0, whole.err)
  })

  test('a teammate in a side dialog: tail waits for it, names what it asks, and goes on after the answer', async () => {
    const tail = await cli.run('dialogs', 'tail', dialog, '--until-rest')
    assert.equal(tail.code, 5)
    assert.match(tail.out, /→ asks @researcher: Say which kind of books/)
    assert.match(tail.out, /← @researcher asks back/)
    const [, asked = ''] = /parley answer (q_\w+) --choice 'short\|long\|any'/.exec(tail.err) ?? []
    const tree = await cli.run('dialogs', 'tree', dialog)
    assert.match(tree.out, /@ada +… waiting for @researcher/)
    assert.match(tree.out, /└ Say which kind of books .*@researcher +\? waiting for you .*1 question for you/)
    const { items } = await cli.json<{ items: TreeNode[] }>('dialogs', 'tree', dialog)
    assert.deepEqual(
      items.map(({ status, sides }) => [status, sides.map((side) => side.status)]),
      [['delegated', ['waiting']]],
    )
    assert.equal((await cli.run('answer', asked, '--choice', 'short')).code, 0)
    const rest = await cli.run('dialogs', 'tail', dialog, '--until-rest', '--after', '0')
    assert.equal(rest.code, 0)
    assert.match(rest.out, /✓ @researcher replied:/)
    const side = await cli.run('dialogs', 'show', items[0]?.sides[0]?.id ?? '')
    assert.match(side.out, /✓ replied to @ada/)
  })

  test('show reads as a transcript, with the answers in the words that were seen', async () => {
    const { code, out } = await cli.run('dialogs', 'show', dialog)
    assert.equal(code, 0)
    assert.match(out, /✓ answered by You: Just for fun/)
    assert.match(out, /Which topic\?: a=b cities/)
    assert.match(out, /Your reading list/)
    // Nothing but text: no colours in a pipe.
    assert.ok(!out.includes('\u001b'))
  })

  test('a withdrawn question is closed, with the reason', async () => {
    const waiting = JSON.parse((await cli.run('send', 'another one', '--wait', '--json')).out) as Sent
    const withdrawn = await cli.run('withdraw', waiting.questions[0]?.id ?? '', '--reason', 'decided', '--json')
    const { state, closed } = JSON.parse(withdrawn.out) as QuestionView
    assert.deepEqual([state, closed?.reason], ['cancelled', 'decided'])
    assert.equal((await cli.run('withdraw', waiting.questions[0]?.id ?? '')).code, 1)
  })

  test('declining is told to the agent; --file answers from JSON; flags exclude each other', async () => {
    const waiting = JSON.parse((await cli.run('send', 'one more', '--wait', '--json')).out) as Sent
    const id = waiting.questions[0]?.id ?? ''
    assert.equal((await cli.run('answer', id, '--choice', 'fun', '--text', 'x')).code, 2)
    const declined = await cli.run('decline', id, '--reason', 'no time', '--json')
    assert.equal((JSON.parse(declined.out) as QuestionView).closed?.reason, 'no time')
    await cli.run('dialogs', 'tail', waiting.dialog, '--until-rest')
    const next = (await cli.json<DialogDetail>('dialogs', 'show', waiting.dialog)).questions.find(({ state }) => state === 'open')?.id ?? ''
    const filed = await cli.with({ input: '{"pace":"keen","topic":"tea"}' }, 'answer', next, '--file', '-', '--json')
    assert.equal(filed.code, 0, filed.err)
    assert.deepEqual((JSON.parse(filed.out) as QuestionView).closed?.answers, { pace: 'keen', topic: 'tea' })
  })

  test('list finds by words and state, title renames, an unknown dialog is named', async () => {
    assert.equal((await cli.run('dialogs', 'title', dialog, '读书 list')).code, 0)
    const entry = await cli.json<Page<DialogDetail>>('dialogs', 'ls', '--search', '读书')
    assert.deepEqual(
      entry.items.map(({ id }) => id),
      [dialog],
    )
    const waiting = await cli.json<Page<DialogDetail>>('dialogs', 'list', '--status', 'waiting', '--limit', '1')
    assert.equal(waiting.items.length, 1)
    assert.notEqual(waiting.next, null)
    const human = await cli.run('dialogs', 'list')
    assert.match(human.out, /读书 list/)
    const none = await cli.run('dialogs', 'show', 'dlg_none')
    assert.equal(none.code, 1)
    assert.match(none.err, /There is no dialog dlg_none.*\n.*parley dialogs list/)
  })

  test('a side dialog is given up with a note, which the one who waits is told; a root is not', async () => {
    const waiting = JSON.parse((await cli.run('send', 'for the side', '--wait', '--json')).out) as Sent
    await cli.run('answer', waiting.questions[0]?.id ?? '', '--decline')
    await cli.run('dialogs', 'tail', waiting.dialog, '--until-rest')
    const set = (await cli.json<DialogDetail>('dialogs', 'show', waiting.dialog)).questions[0]?.id ?? ''
    await cli.run('answer', set, '--decline')
    await cli.run('dialogs', 'tail', waiting.dialog, '--until-rest')
    const { items } = await cli.json<{ items: TreeNode[] }>('dialogs', 'tree', waiting.dialog)
    const side = items[0]?.sides[0]?.id ?? ''
    const dead = await cli.run('dialogs', 'dead', side, '--note', 'no time for it')
    assert.equal(dead.code, 0, dead.err)
    assert.match(dead.out, /given up/)
    const rest = await cli.run('dialogs', 'tail', waiting.dialog, '--until-rest', '--after', '0')
    assert.equal(rest.code, 0)
    assert.match(rest.out, /@researcher will not reply:[\s\S]*no time for it[\s\S]*continue alone/)
    assert.match((await cli.run('dialogs', 'dead', waiting.dialog)).err, /Only a side dialog/)
  })

  test('all at once: says how many, wants a dialog or --all', async () => {
    assert.equal((await cli.run('dialogs', 'stop')).code, 2)
    assert.equal((await cli.run('dialogs', 'continue')).code, 2)
    assert.match((await cli.run('dialogs', 'stop', '--all')).out, /^\d+ dialogs? w/)
    const list = await cli.run('dialogs', 'list')
    assert.match(list.err, /All work was stopped by the owner \(.*Resume all: parley dialogs continue --all/)
    assert.match((await cli.run('doctor')).out, /All work was stopped by/)
    const waits = await cli.run('send', 'hello?', '--wait')
    assert.equal(waits.code, 1)
    assert.match(waits.err, /All work was stopped by/)
    assert.match((await cli.run('dialogs', 'continue', 'last')).err, /Resume all first/)
    assert.match((await cli.run('dialogs', 'continue', '--all')).out, /^\d+ dialogs? continue/)
    assert.deepEqual(await cli.json('dialogs', 'continue', 'last', '--all'), { count: 0 })
    assert.doesNotMatch((await cli.run('dialogs', 'list')).err, /All work is stopped/)
  })

  test('where nothing runs there is nothing to stop, and nothing to continue', async () => {
    const nothing = await cli.run('dialogs', 'stop', dialog, '--json')
    assert.equal((JSON.parse(nothing.err) as { error: { code: string } }).error.code, 'nothing_to_stop')
    assert.equal((await cli.run('dialogs', 'continue', dialog)).code, 1)
  })
})

describe('pipes', () => {
  test('a reader that leaves early is no error', async () => {
    for (let count = 0; count < 3; count += 1) await cli.run('send', `fill ${count}`, '--wait')
    const { code, out, err } = await cli.shell('events --json --limit 1000 | head -1')
    assert.equal(code, 0, err)
    assert.equal(out.trim().split('\n').length, 1)
    assert.equal(err, '')
  })

  test('echo hi | parley chat prints the reply, and ends with 5 at a question', async () => {
    const { code, out, err } = await cli.with({ input: 'hi\nthis line is never said\n' }, 'chat')
    assert.equal(code, 5)
    assert.match(out, /^Hello, I am Ada/)
    assert.match(err, /parley answer q_\w+ --choice/)
    assert.doesNotMatch(out + err, /never said/)
  })

  test('several lines are said one after the other', async () => {
    const result = (await cli.json<Page<DialogDetail>>('dialogs', 'list', '--search', '读书')).items[0]?.id ?? ''
    const { code, out, err } = await cli.with({ input: 'one\n\ntwo\r\n' }, 'chat', '--to', result, '--json')
    assert.equal(code, 0, err)
    const replies = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { dialog: string; text: string })
    assert.equal(replies.length, 2)
    assert.ok(replies.every((reply) => reply.dialog === result && reply.text.length > 0))
  })

  test('words follow the language of the shell', async () => {
    const { out, err } = await cli.with({ env: { LANG: 'zh_CN.UTF-8' } }, 'send', '你好', '--wait')
    assert.match(out, /ada 问您/)
    assert.match(err, /回答命令：/)
    assert.match(out, /您好，我是 Ada/)
  })
})

describe('following', () => {
  test('events --follow goes on across a restart of the server, nothing twice and nothing missing', async () => {
    const first = JSON.parse((await cli.run('send', 'before', '--wait', '--json')).out) as Sent
    const follow = cli.start(['events', first.dialog, '--follow', '--json'])
    await follow.until('turn.finished')
    const watch = cli.start(['inbox', 'watch', '--json'])
    await watch.until(first.questions[0]?.id ?? '?')

    assert.equal((await server.process.end('SIGTERM')).code, 0)
    const down = await cli.run('dialogs', 'list', '--json')
    assert.equal(down.code, 3)
    assert.equal(down.out, '')
    assert.equal((JSON.parse(down.err) as { error: { code: string } }).error.code, 'server_unreachable')

    server = await cli.serve('--port', server.port)
    await cli.run('answer', first.questions[0]?.id ?? '', '--choice', 'work')
    await follow.until(/question\.asked[\s\S]*question\.asked/)
    const [, second] = /question\.asked[\s\S]*"question":"(q_\w+)"[\s\S]*question\.asked/.exec(follow.out) ?? []
    assert.equal(second, first.questions[0]?.id)
    await watch.until(/question[\s\S]*two details/)

    const ended = await follow.end()
    assert.equal(ended.code, 130)
    assert.match(ended.err, /not responding[\s\S]*Reconnected/)
    const seqs = ended.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as EventView).seq)
    assert.deepEqual(
      seqs,
      seqs.map((_, at) => at + 1),
    )
    assert.equal((await watch.end()).code, 130)
  })

  test('tail prints one JSON line for each event, from where it is told', async () => {
    const tail = cli.start(['dialogs', 'tail', 'last', '--after', '0', '--json'])
    await tail.until('turn.finished')
    const { out } = await tail.end()
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as EventView)
    assert.equal(lines[0]?.type, 'dialog.opened')
    assert.equal(lines[0]?.seq, 1)
  })

  test('a dialog that does not exist is not followed in silence', async () => {
    const { code, err } = await cli.run('events', 'dlg_none', '--follow')
    assert.equal(code, 1)
    assert.match(err, /There is no dialog/)
  })
})
