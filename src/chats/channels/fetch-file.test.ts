import assert from 'node:assert/strict'
import { request as httpsRequest } from 'node:https'
import { test } from 'node:test'
import { fetchFile, fetchFileLimits } from './fetch-file.ts'
import { publicGet } from './public-get.ts'

/** Answers with the redirects of a table, else with 200, and lists the requests. */
function fakeFetch(redirects: Record<string, string> = {}) {
  const requests: string[] = []
  const get: Parameters<typeof fetchFile>[2] = (url, { headers }) => {
    const address = String(url)
    const token = headers['authorization']
    requests.push(token === undefined ? address : `${address} ${token}`)
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

const notSent = (): never => assert.fail('a request was sent')

test('publicGet: a name that resolves to a private address is refused before a request', async () => {
  const options = { headers: {}, signal: request.signal }
  for (const addresses of [
    [{ address: '10.0.0.5', family: 4 }],
    [{ address: '169.254.169.254', family: 4 }],
    [{ address: '::1', family: 6 }],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [
      { address: '93.184.215.14', family: 4 },
      { address: '192.168.0.1', family: 4 },
    ],
    [],
  ])
    assert.equal(await publicGet(new URL('https://elsewhere.example/x'), options, { lookUp: async () => addresses, send: notSent }), null)
})

test('publicGet: the connection goes to the address that was checked, whatever the name says later', async () => {
  let pinned: unknown
  const send: typeof httpsRequest = (...given: unknown[]) => {
    const { lookup } = given[1] as { lookup: (host: string, options: { all: true }, found: (error: null, found: unknown) => void) => void }
    lookup('elsewhere.example', { all: true }, (_error, found) => (pinned = found))
    return httpsRequest('https://127.0.0.1:1/', { signal: AbortSignal.abort() })
  }
  const addresses = [{ address: '93.184.215.14', family: 4 }]
  let lookups = 0
  const lookUp = async () => ((lookups += 1) === 1 ? addresses : [{ address: '127.0.0.1', family: 4 }])
  await assert.rejects(publicGet(new URL('https://elsewhere.example/x'), { headers: {}, signal: request.signal }, { lookUp, send }))
  assert.deepEqual(pinned, addresses)
})
