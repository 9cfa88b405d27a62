import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchFile, fetchFileLimits } from './fetch-file.ts'

/** Answers with the redirects of a table, else with 200, and lists the requests. */
function fakeFetch(redirects: Record<string, string> = {}) {
  const requests: string[] = []
  const get: typeof fetch = (url, options) => {
    const address = String(url instanceof Request ? url.url : url)
    const token = new Headers(options?.headers).get('authorization')
    requests.push(token === null ? address : `${address} ${token}`)
    const location = redirects[address]
    return Promise.resolve(location === undefined ? new Response('file') : new Response(null, { status: 302, headers: { location } }))
  }
  return { get, requests }
}

const request = {
  apiRoot: 'https://chat.example/api/',
  isPlatformHost: (host: string) => host.endsWith('.chat.example'),
  token: async () => 'secret',
  signal: AbortSignal.timeout(60_000),
}

test('fetchFile: the token goes to hosts of the platform alone', async () => {
  const { get, requests } = fakeFetch()
  for (const url of ['https://chat.example/a', 'https://files.chat.example/b', 'https://elsewhere.example/c'])
    assert.ok(await fetchFile(url, request, get))
  assert.deepEqual(requests, [
    'https://chat.example/a Bearer secret',
    'https://files.chat.example/b Bearer secret',
    'https://elsewhere.example/c',
  ])
})

test('fetchFile: addresses inside the network of the server are refused without a request', async () => {
  const { get, requests } = fakeFetch()
  for (const url of [
    'http://169.254.169.254/latest',
    'https://10.0.0.1/',
    'https://localhost/x',
    'http://elsewhere.example/',
    'file:///etc/passwd',
  ])
    assert.equal(await fetchFile(url, request, get), null, url)
  assert.deepEqual(requests, [])
  assert.ok(await fetchFile('http://127.0.0.1:9/x', { ...request, apiRoot: 'http://127.0.0.1:9/' }, get))
})

test('fetchFile: a redirect is checked as the first address, and there are few', async () => {
  const inside = fakeFetch({
    'https://files.chat.example/a': 'https://elsewhere.example/b',
    'https://elsewhere.example/b': 'http://10.0.0.1/',
  })
  assert.equal(await fetchFile('https://files.chat.example/a', request, inside.get), null)
  assert.deepEqual(inside.requests, ['https://files.chat.example/a Bearer secret', 'https://elsewhere.example/b'])
  const circle = fakeFetch({ 'https://chat.example/a': '/a' })
  assert.equal(await fetchFile('https://chat.example/a', request, circle.get), null)
  assert.equal(circle.requests.length, fetchFileLimits.redirects + 1)
})
