import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { modelSchema } from '../app/config/schema.ts'
import { modelEmulator } from '../testing/model-emulator.ts'
import { checkModel, discoverOllama } from './model-check.ts'

describe('trying a model out', async () => {
  const emulator = await modelEmulator()
  after(() => emulator.close())
  const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: emulator.url, model: 'emulated', firstTokenSeconds: 5 })
  const choice = { text: 'Tea or coffee?', items: [{ id: 'drink', text: 'Drink', kind: 'choice', options: ['tea', 'coffee'] }] }

  it('says what works', async () => {
    emulator.next(
      { does: 'reply', pieces: ['one, ', 'two'] },
      { does: 'reply', pieces: [], calls: [{ id: 'c', name: 'read_thermometer', args: ['{"place":"kitchen"}'] }] },
      { does: 'reply', pieces: [], calls: [{ id: 'c', name: 'askHuman', args: [JSON.stringify(choice)] }] },
    )
    const { firstTokenMs, ...rest } = await checkModel(model)
    assert.equal(typeof firstTokenMs, 'number')
    assert.deepEqual(rest, {
      answers: { ok: true },
      streams: { ok: true },
      tools: { ok: true },
      asksQuestions: { ok: true },
      wire: 'chat',
      window: { windowTokens: 32_768, inputLimitTokens: 32_768, maxOutputTokens: 4_096, source: 'unknown', problem: 'window unknown' },
    })
  })

  it('says in words what does not', async () => {
    emulator.next(
      { does: 'reply', pieces: ['all at once'] },
      { does: 'refuse', status: 400, message: 'this model does not support tools' },
      { does: 'reply', pieces: [], calls: [{ id: 'c', name: 'askHuman', args: ['{"text": 5}'] }] },
    )
    const { streams, tools, asksQuestions } = await checkModel(model)
    const reasons = [streams, tools, asksQuestions].map((ability) => (ability.ok ? '' : ability.why))
    assert.match(reasons[0] ?? '', /in one piece/)
    assert.match(reasons[1] ?? '', /does not support tools/)
    assert.match(reasons[2] ?? '', /not well formed: tellaskContent:/)
    emulator.next({ does: 'reply', pieces: ['a', 'b'] }, { does: 'reply', pieces: ['no tools'] }, { does: 'reply', pieces: ['Tea?'] })
    const textOnly = await checkModel(model)
    assert.deepEqual([textOnly.tools.ok, textOnly.asksQuestions.ok], [false, false])
  })

  it('does not go on when there is no answer', async () => {
    emulator.next({ does: 'refuse', status: 401 })
    const { answers, tools } = await checkModel(model)
    assert.match(answers.ok ? '' : answers.why, /refused the key \(401\)\. Set a valid key/)
    assert.match(tools.ok ? '' : tools.why, /not tried/)
  })

  it('finds Ollama, or not', async () => {
    assert.deepEqual(await discoverOllama(fetch, emulator.url.replace('/v1', '')), { baseUrl: emulator.url, models: ['emulated'] })
    const answering =
      (body: string, status = 200): typeof fetch =>
      async () =>
        new Response(body, { status })
    for (const none of [answering('<html>'), answering('{"data":5}'), answering('{}', 500), () => Promise.reject(new Error('refused'))]) {
      assert.equal(await discoverOllama(none), null)
    }
    assert.deepEqual((await discoverOllama(answering('{"data":null}')))?.models, [])
  })
})
