import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findProfile, isLocalAddress, isOpenAiAddress, type WireProfile } from './profiles.ts'

const unknownServer: WireProfile = {
  notes: 'user',
  alternate: false,
  bridge: false,
  callIds: 'common',
  textCalls: false,
  cacheKey: false,
}

const cases: readonly [model: string, address: string, expected: Partial<WireProfile>][] = [
  ['gpt-5.5', 'https://api.openai.com/v1', { notes: 'developer', cacheKey: true }],
  ['work', 'https://acme.openai.azure.com/openai/v1', { notes: 'developer', cacheKey: true }],
  ['gpt-5.5', 'https://gateway.example/v1', {}],
  ['claude-opus-4-8', 'https://api.anthropic.com/v1', { notes: 'system' }],
  ['claude-sonnet-4-5', 'https://api.anthropic.com/v1', {}],
  ['claude-opus-4-8', 'https://gateway.example/v1', {}],
  ['mistral-large-latest', 'https://api.mistral.ai/v1', { alternate: true, bridge: true, callIds: 'short', cacheKey: true }],
  ['mistralai/Devstral-2-123B', 'http://localhost:8000/v1', { alternate: true, bridge: true, callIds: 'short', textCalls: true }],
  ['gemma3:27b', 'http://127.0.0.1:11434/v1', { alternate: true, textCalls: true }],
  ['qwen2.5-coder', 'http://192.168.1.20:11434/v1', { textCalls: true }],
  ['gpt-oss:20b', 'http://localhost:11434/v1', { textCalls: true }],
  ['qwen3.7-max', 'https://dashscope.example/v1', {}],
  ['gemini-2.5-pro', 'http://localhost:4000/v1', {}],
  ['claude-opus-5', 'http://localhost:4000/v1', {}],
  ['gpt-5', 'not an address', {}],
]

describe('findProfile', () => {
  for (const [model, address, expected] of cases)
    test(`${model} at ${address}`, () => assert.deepEqual(findProfile(model, address), { ...unknownServer, ...expected }))
})

test('isLocalAddress: this machine and private networks', () => {
  for (const address of [
    'http://localhost:1',
    'http://127.0.0.1',
    'http://[::1]:8080/v1',
    'http://10.1.2.3',
    'http://172.20.0.2',
    'http://ollama:11434',
    'http://box.local',
  ])
    assert.equal(isLocalAddress(address), true, address)
  for (const address of [
    'https://api.openai.com',
    'http://172.32.0.1',
    'http://8.8.8.8',
    'http://10.example.com',
    'http://[2001:db8::1]',
    '',
  ])
    assert.equal(isLocalAddress(address), false, address)
})

test('isOpenAiAddress: no other host passes', () => {
  assert.equal(isOpenAiAddress('https://api.openai.com/v1'), true)
  for (const address of ['https://api.openai.com.evil.example/v1', 'https://notapi.openai.com.example', 'https://openrouter.ai/api/v1'])
    assert.equal(isOpenAiAddress(address), false, address)
})
