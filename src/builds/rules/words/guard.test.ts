import { buildTexts } from '../../../words/index.ts'
import { type Language, languageCodes } from '../../../shapes/language.ts'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { stepsIn, wordsOfStep } from '../steps.ts'
import { headerNote } from '../header.ts'
import { guardPrompt, guardResult, guardWords } from './guard.ts'
import { isReassurance, reassurance } from './reassurance.ts'
import { failureWords } from './summaries.ts'

/** One sentence on each line, written before the rules were. The second corpus was measured once and tuned nothing. */
const corpus = (
  set: 'tuning' | 'held-out' | 'third' | 'fourth' | 'fifth' | 'sixth' | 'seventh' | 'eighth' | 'ninth' | 'tenth',
  kind: 'good' | 'bad',
  locale: Language,
): string[] =>
  readFileSync(new URL(`test/${set}/${kind}.${locale}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

for (const set of ['tuning', 'held-out'] as const) {
  test(`the guard leaves good sentences alone and holds bad ones back (${set} corpus)`, (t) => {
    const good = languageCodes.flatMap((locale) => corpus(set, 'good', locale))
    const bad = languageCodes.flatMap((locale) => corpus(set, 'bad', locale))
    const touched = good.filter((said) => guardWords(said).text !== said)
    const shown = bad.filter((said) => guardWords(said, { ids: ['q-region'] }).text !== null)
    t.diagnostic(
      `${set}: ${touched.length} of ${good.length} good sentences touched, ${bad.length - shown.length} of ${bad.length} bad ones held`,
    )
    assert.ok(good.length >= 200 && bad.length >= 200)
    assert.ok(touched.length <= 0.02 * good.length, touched.join('\n'))
    assert.ok(shown.length <= 0.1 * bad.length, shown.join('\n'))
  })
}

// Figures of the only measurement of each, before the rules that came after it. They must not get worse.
// The seventh was written from the specification before the rules were read, but by the person who then extended them.
// The tenth was measured on the rules as they are: with its four traces, 95 of 100.
// In the fifth, the eighth, the ninth and the tenth, the first folder of some paths was renamed after the measurement, as no file may contain a home
// folder. Texts of several lines are in the test of stack traces below: six bad ones of the eighth, four of the ninth and of the tenth. With
// them, 75 of 100 were held of the eighth (five of those with the rest rightly shown) and 95 of 100 of the ninth.
for (const [set, goodSize, badSize, measuredTouched, measuredHeld] of [
  ['third', 60, 60, 0, 53],
  ['fourth', 60, 60, 0, 52],
  ['fifth', 100, 100, 0, 58],
  ['sixth', 100, 100, 1, 88],
  ['seventh', 100, 100, 0, 95],
  ['eighth', 100, 94, 1, 68],
  ['ninth', 100, 96, 0, 91],
  ['tenth', 100, 96, 1, 91],
] as const) {
  test(`the guard judges a ${set} corpus, written without a look at the rules, at least as it was measured`, (t) => {
    const good = languageCodes.flatMap((locale) => corpus(set, 'good', locale))
    const bad = languageCodes.flatMap((locale) => corpus(set, 'bad', locale))
    const touched = good.filter((said) => guardWords(said).text !== said)
    const held = bad.filter((said) => guardWords(said).text === null)
    t.diagnostic(`${set}: ${touched.length} of ${good.length} good sentences touched, ${held.length} of ${bad.length} bad ones held`)
    assert.deepEqual([good.length, bad.length], [goodSize, badSize])
    assert.ok(touched.length <= measuredTouched, touched.join('\n'))
    assert.ok(held.length >= measuredHeld, bad.filter((said) => !held.includes(said)).join('\n'))
  })
}

const forbidden = [
  "Now I'll spawn all research workers and start profile setup in parallel.",
  '现在我将生成所有研究工作线程并并行启动配置文件设置。',
  'Research done. Designing your agent now...',
  '研究完成。正在设计您的代理...',
  'Now designing the blueprint.',
  '现在正在设计蓝图。',
]

test('the sentences the protocol forbids are never shown', () => {
  for (const said of forbidden) assert.equal(guardWords(said).text, null, said)
})

const shortenings: [said: string, shown: string | null, why: string][] = [
  [
    'I found three sources. Spawning workers to read them. This takes a minute.',
    'I found three sources. This takes a minute.',
    'inner-workings',
  ],
  ['Your list is ready. The pipeline was running for 3.5 s.', 'Your list is ready.', 'inner-workings'],
  ['I found it. It is in /srv/mia/list.md. Have a look.', 'I found it. Have a look.', 'shape'],
  ['Thanks. Your key is sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34.', 'Thanks.', 'shape'],
  ['[FROM:TIDY]', null, 'header'],
  ['[FROM:TIDY] [BUILD_ID:42] Your list is ready.', 'Your list is ready.', 'header'],
  ['[MESSAGE_TYPE:USER_ANSWER]\n[QUESTION_ID:q1]\n谢谢您的回答。', '谢谢您的回答。', 'header'],
  [`${headerNote}\nHello.`, 'Hello.', 'header'],
  ['我找到了三个来源。正在启动三个工作进程。大概需要一分钟。', '我找到了三个来源。大概需要一分钟。', 'inner-workings'],
  ['All of this is true. '.repeat(20), 'All of this is true. '.repeat(13).trim(), 'too-long'],
  ['word '.repeat(80), `${'word '.repeat(55).trim()}…`, 'too-long'],
  ['这些内容都很重要。'.repeat(40), '这些内容都很重要。'.repeat(31), 'too-long'],
  ['长'.repeat(300), `${'长'.repeat(279)}…`, 'too-long'],
]

test('only the sentences that give something away are removed, with a reason', () => {
  for (const [said, shown, why] of shortenings) {
    const { text, findings } = guardWords(said)
    assert.equal(text, shown, said)
    assert.ok(
      findings.some((finding) => finding.why === why && finding.what !== ''),
      `${said}: ${JSON.stringify(findings)}`,
    )
    if (text !== null) assert.deepEqual(guardWords(text), { text, findings: [] }, 'what is shown passes by itself')
  }
})

test('of a stack trace and of a header no line is left, and what stands around them is shown', () => {
  for (const [said, shown] of [
    ['[FROM:TIDY]\n[BUILD_ID:d516808d-f5fe-4c81-8eb9-6866523badc3]\nYour agent is ready to use.', 'Your agent is ready to use.'],
    [
      "Traceback (most recent call last):\n  File \"/srv/tidy/run.py\", line 212, in assemble\n    agent.attach(tool)\nAttributeError: 'NoneType' object has no attribute 'attach'",
      null,
    ],
    [
      "Something went wrong: TypeError: Cannot read properties of undefined (reading 'slots')\n    at bookSlot (calendar.js:48:17)\n    at processTicksAndRejections (node:internal/process/task_queues:95:5)",
      null,
    ],
    [
      '[FROM:TIDY]\n[SESSION_ID:c3647189-a333-4e32-a999-c72f520c80cc]\n[MESSAGE_TYPE:USER_ANSWER]\n您的代理已经可以使用了。',
      '您的代理已经可以使用了。',
    ],
    [
      '很抱歉，出错了：\nTraceback (most recent call last):\n  File "/opt/tidy/steps/validate.py", line 87, in run\n    result = checks[name]()\nKeyError: \'greeting\'',
      '很抱歉，出错了：',
    ],
    [
      '预约没有成功：java.lang.NullPointerException\n\tat com.tidy.booking.SlotService.reserve(SlotService.java:133)\n\tat com.tidy.booking.Api.post(Api.java:41)',
      null,
    ],
    [
      'Traceback (most recent call last):\n  File "/app/agent/runner.py", line 212, in run_step\n    result = tool.call(args)\nKeyError: \'step_id\'',
      null,
    ],
    [
      "TypeError: Cannot read properties of undefined (reading 'steps')\n    at buildPlan (/srv/openclaw/src/planner.js:88:23)\n    at async runTurn (/srv/openclaw/src/turn.js:41:5)",
      null,
    ],
    [
      'Traceback (most recent call last):\n  File "/opt/openclaw/core/turn.py", line 97, in execute\n    plan = load_plan(path)\nFileNotFoundError: [Errno 2] No such file or directory: \'plan.yaml\'',
      null,
    ],
    [
      'Error: connect ETIMEDOUT 10.0.8.22:6379\n    at TCPConnectWrap.afterConnect (node:net:1605:16)\n    at runStep (/srv/tidy/worker/index.js:143:11)',
      null,
    ],
    [
      'Sorry, that failed.\n\nTraceback (most recent call last):\n  run()\n\nI left the old list as it was.',
      'Sorry, that failed.\n\n\nI left the old list as it was.',
    ],
  ] as const)
    assert.equal(guardWords(said).text, shown, said)
})

test('a message of nothing but words of the agent’s work is held back, and one about the thing that is built passes', () => {
  for (const said of [
    'Converting the plan into a task graph.',
    'Saved a checkpoint so that the next turn can pick up from here.',
    'The user answered the question, resuming the build from where it stopped.',
    'Assembling done? Yes. Testing? Just started.',
    'Next stop: finalization.',
    'The plan looks solid. Putting it together now.',
    '现在进度到第五步，还剩两步。',
    '根据协议，我要先发送完成事件。',
    '构建环境正在预热。',
    '设计这一关过了，组装马上跟上。',
  ])
    assert.equal(guardWords(said).text, null, said)
  for (const said of [
    'The task list is ready.',
    'I’ve finished building your agent.',
    'The build is finished and everything passed.',
    'I have two questions before I start.',
    'The kitchen plan is complete, and the tiles start at the window.',
    'The plan has four phases, and each phase takes two weeks.',
    'The course starts with a test and ends with a review.',
    '检查全部通过，代理可以用了。',
    '课程从测试开始，以复习结束。',
    '计划分四个阶段，每个阶段两周。',
    '学徒把任务标为“已完成”，工长马上就会收到通知。',
  ])
    assert.deepEqual(guardWords(said), { text: said, findings: [] })
})

test('one part that is over and another that begins are held back, whatever their names', () => {
  for (const said of [
    'The letters are finished, moving on to the envelopes.',
    'Having sorted the photos, I’m going through the captions.',
    'With the songs done, I’ll write the sleeve.',
    'Next up: the captions.',
    'Understood, continuing.',
    '照片整理完毕，开始写说明。',
    '好的，继续执行。',
    '下一步：写说明。',
    'The sketch is finished, so I’m turning to the colours.',
    'Menu sorted, time for the photos.',
    'Let me start on the envelopes now that the letters are written.',
    'The header of your page is done, now I’m writing the text.',
    'I finished the header. On to the footer.',
    'The second part begins. The first one is behind us.',
    '既然文字写好了,就来配图吧。',
    '页眉做完了。接下来做页脚。',
    '开始配色,草图已经通过。',
    '文案定稿,转入设计。',
    'All pages load and every link works, so let’s proceed to publishing.',
    'I’ve read it all and have started on the outline.',
    'The outline stands and I’ll move into writing it for you.',
    'Going from drafting to polishing.',
    '会员页弄好啦,接着弄积分页。',
    '菜单上线了,下一个轮到照片。',
    '大纲定了,我来为您写正文。',
    '正在从起草转到润色。',
    '资料到齐,写稿即将开始。',
  ])
    assert.equal(guardWords(said).text, null, said)
})

test('a sentence that speaks to the person, or tells of something else, passes', () => {
  for (const said of [
    'Now you can share the link.',
    'It is done, now you can share it.',
    '做好了，现在您可以分享链接。',
    'Testing is done, so you can start now.',
    'With the date in place, you can send it.',
    'The race is finished, and the winners are on to the final.',
    '会议结束，接下来是晚餐。',
    'The sale is over, so I’ll leave the banner out.',
    'The date is fixed, so I’ll put it at the top.',
    'When a round is over, the next one begins.',
    'Step 4 of the recipe starts when the dough is ready.',
    'Dinner is ready at seven, let’s say half past for latecomers.',
    'Your page is done. Let me know if the colours fit.',
    'The repair is done, now the door closes well.',
    '孩子写完作业,继续读一本书就能得一颗星。',
    '每做完一题,就进入下一题。',
    '厨房装修好了,现在可以拍照了。',
    'When a task is done, it moves to the bottom and turns grey.',
    'I moved the menu to the top and made the text larger.',
    'Everything works. The summary is below.',
    'Registration starts now and closes in June.',
    '订单进入下一个阶段时会发短信。',
    '报名现在开始,六月截止。',
    '商品卖完了会自动下架,然后通知店长。',
  ])
    assert.deepEqual(guardWords(said), { text: said, findings: [] })
})

test('work that one maker passes to another is held back, and the same names in what is built pass', () => {
  for (const said of [
    'Passing the draft to the reviewer.',
    'The writer agent is busy with chapter two.',
    'A dedicated tester agent takes over from here.',
    'Starting three more researchers to be faster.',
    '把草稿转交给审稿模型。',
    '再启动三个研究代理以加快速度。',
    '写作代理正在处理第二章,审稿代理在等。',
  ])
    assert.equal(guardWords(said).text, null, said)
  for (const said of [
    'The scanner is checking tickets at both doors.',
    'I gave the header a darker blue and moved the logo to the left.',
    'The letter goes to the manager when two days have passed.',
    '计时器正在等待第一次启动。',
    '聊天机器人会把复杂的问题交给人工客服。',
    '翻译助手现在支持法语和波兰语。',
  ])
    assert.deepEqual(guardWords(said), { text: said, findings: [] })
})

test('secrets are held back everywhere, also in prompts and labels, and never reach the operator’s log', () => {
  const key = 'sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34'
  for (const guarded of [guardWords(`Use ${key}.`), guardPrompt(`Is ${key} right?`), guardResult(`Key: ${key}`, ids)])
    assert.doesNotMatch(JSON.stringify(guarded), /Ab12Cd34/)
  assert.equal(guardPrompt('Write to /srv/mia/out?').text, 'Write to •••?')
  assert.equal(guardPrompt('/srv/mia/out').text, null)
})

const ids = { build: '0198a7c2-4b3d-7e1f-a2b3-c4d5e6f70812', session: '3f2b8c1e-9d4a-4f6b-8a7c-1e2d3c4b5a69' }

test('a result without header lines and secrets comes out byte for byte', () => {
  const markdown = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '# Title',
        '  - item  ',
        '',
        '\t`code`\t',
        '| a | b |\r',
        'Workers run in parallel in /srv/mia/x.',
        '[BUILD_ID:42]',
        'Error: ENOENT',
      ),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(markdown, (lines) => {
      const output = lines.join('\n').toWellFormed()
      assert.deepEqual(guardResult(output, ids), { text: output, findings: [] })
    }),
    { numRuns: 500 },
  )
})

test('only exact header lines with the values of this build are removed from a result', () => {
  const header = ['[FROM:TIDY]', `[BUILD_ID:${ids.build}]`, `[SESSION_ID:${ids.session}]`, '[MESSAGE_TYPE:USER_ANSWER]', '[QUESTION_ID:q1]']
  const other = ['[BUILD_ID:42]', ' [FROM:TIDY]', 'Use [FROM:TIDY] here.', `[BUILD_ID:${ids.session}]`]
  assert.equal(guardResult([...header, '  # Kept', ...other, ''].join('\n'), ids).text, ['  # Kept', ...other, ''].join('\n'))
})

for (const locale of languageCodes) {
  test(`what the backend says itself passes its own guard (${locale})`, () => {
    const codes = [
      'build_rules_broken',
      'command_failed',
      'command_timeout',
      'command_flooded',
      'command_missing',
      'budget_spent',
      'internal',
      'cancelled',
    ] as const
    const texts = [
      ...codes.map((code) => failureWords(code, locale).summary),
      ...codes.map((code) => failureWords(code, locale).reason),
      ...[0, 1, 2, 3, 4].map((earlier) => reassurance(locale, earlier)),
      buildTexts[locale].summaries.complete,
      buildTexts[locale].summaries.failed,
      ...stepsIn(locale).flatMap(({ title, description }) => [title, description]),
    ]
    for (const text of texts) assert.deepEqual(guardWords(text), { text, findings: [] })
    assert.ok(isReassurance(reassurance(locale, 7)) && !isReassurance('Hello.'))
  })
}

test('the person’s own words are theirs', () => {
  const said = 'The pipelines are running.'
  assert.equal(guardWords(said).text, null)
  assert.equal(guardWords(said, { own: 'An agent that watches our pipelines' }).text, said)
  assert.equal(guardWords('Spawning workers.', { own: 'An agent that watches our pipelines' }).text, null)
  assert.equal(guardWords('Design done, now building.', { own: 'Tell me when it is done, now' }).text, null)
})

test('a step is not said again for two seconds, in any language, with or without its dot', () => {
  const step = { words: wordsOfStep('design'), at: 1_000 }
  for (const said of [
    'Planning your agent',
    'planning your agent…',
    'I’m creating the build plan for your agent.',
    "I'm creating the build plan for your agent",
    '正在规划您的代理。',
  ]) {
    assert.equal(guardWords(said, { step, at: 3_000 }).text, null, said)
    assert.equal(guardWords(said, { step, at: 3_001 }).text, said)
  }
  assert.equal(guardWords('Planning your agent needs one detail.', { step, at: 1_001 }).findings.length, 0)
})

test('a question never vanishes for its words, only for having none', () => {
  assert.deepEqual(guardPrompt('Shall the workers run in parallel?').text, 'Shall the workers run in parallel?')
  assert.equal(guardPrompt('Shall the workers run in parallel?').findings.length, 1)
  assert.equal(guardPrompt('[QUESTION_ID:q1] Which one?').text, 'Which one?')
  assert.equal(guardPrompt('[QUESTION_ID:q1]').text, null)
})

test('a shape that the end of a sentence divides is held back with all of the text around it', () => {
  const divided = 'I will call `tidy up. Then stop` for you.'
  assert.deepEqual(guardWords(divided), { text: null, findings: [{ why: 'shape', what: 'a command' }] })
  const beside = guardWords(`It is in /srv/mia/list.md. ${divided}`)
  assert.equal(beside.text, null, 'also where another sentence has a shape of its own')
  assert.equal(beside.findings.length, 2)
})

test('an id of the build is held back as a word of its own, wherever it stands', () => {
  const shown = (said: string, id: string) => guardWords(said, { ids: [id] }).text
  assert.equal(shown('Thanks for q-1.', 'q-1'), null)
  assert.equal(shown('Thanks for q-10.', 'q-1'), 'Thanks for q-10.')
  assert.equal(shown('Thanks for aq-1.', 'q-1'), 'Thanks for aq-1.')
  assert.equal(shown('Thanks for q-10 and q-1.', 'q-1'), null, 'a longer id stands before it')
  assert.equal(shown('Thanks for q1.', 'q1'), 'Thanks for q1.', 'two characters are no id')
  assert.equal(shown('Europe is fine.', 'Europe'), 'Europe is fine.', 'a plain word is no id')
})

test('the first 200 sentences of a question are judged, and all of them are shown', () => {
  const said = 'Spawning workers. '.repeat(201).trim()
  const { text, findings } = guardPrompt(said)
  assert.equal(text, said)
  const judged = findings.length / guardPrompt('Spawning workers.').findings.length
  assert.equal(judged, 200)
})

test('what is shortened stays within the limit and breaks no character', () => {
  assert.deepEqual(guardWords('😀'.repeat(140)).findings, [])
  const { text } = guardWords('😀'.repeat(141))
  assert.equal(text, `${'😀'.repeat(139)}…`)
})

test('long text without an end costs no time to look through', () => {
  for (const said of ['a'.repeat(20_000), 'done '.repeat(4_000), '['.repeat(20_000), '[FROM:'.repeat(3_000), '完成了'.repeat(6_000)])
    assert.ok(guardWords(said).findings.length > 0)
})
