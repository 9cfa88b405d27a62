import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { escapeGlob, matchGlob, parseGlob } from './glob.ts'
import { allows, forbids } from './match-scope.ts'
import { isWide, parseScope, type Scope } from './scope.ts'
import { cpuMicroseconds } from './test/cpu-time.ts'
import { netSubject } from './subjects/net.ts'
import type { Subject } from './subjects/subject.ts'

function getScope(text: string): Scope {
  const parsed = parseScope(text)
  assert.ok('scope' in parsed, `${text}: ${JSON.stringify(parsed)}`)
  return parsed.scope
}
const path = (inside: string, more: object = {}): Subject => ({
  kind: 'read',
  names: [{ inside, absolute: `/project/${inside}` }],
  ...more,
})
const run = (...words: string[]): Subject => ({ kind: 'run', words: words.map((value) => ({ value, isLiteral: !value.startsWith('$') })) })

describe('globs', () => {
  const rows: readonly [glob: string, yes: readonly string[], no: readonly string[]][] = [
    ['guide/**', ['guide', 'guide/a', 'guide/a/b', 'guide/.x'], ['guidex', 'a/guide', '']],
    ['**', ['', 'a', 'a/b/c'], []],
    ['**/x.ts', ['x.ts', 'a/x.ts', 'a/b/x.ts'], ['x.tsx', 'a/x.ts/b']],
    ['src/*.ts', ['src/a.ts', 'src/.ts'], ['src/a/b.ts', 'src/a.tsx']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a', 'b', 'a/b/c']],
    ['a?c', ['abc', 'a你c'], ['ac', 'a/c']],
    ['a\\*', ['a*'], ['ab']],
    ['app/\\[id\\]/*', ['app/[id]/x'], ['app/i/x']],
    ['./src', ['src'], ['src/a']],
  ]
  for (const [glob, yes, no] of rows)
    it(glob, () => {
      const parsed = parseGlob(glob)
      assert.ok(!('fault' in parsed))
      for (const one of yes) assert.equal(matchGlob(parsed, one, false), 'yes', one)
      for (const one of no) assert.notEqual(matchGlob(parsed, one, false), 'yes', one)
    })

  it('an escaped path matches itself and nothing else', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/^\.{1,2}$|^~|[/\0]/.test(text) && text === text.normalize('NFC'))
    fc.assert(
      fc.property(name, name, (given, other) => {
        const parsed = parseGlob(escapeGlob(given))
        assert.ok(!('fault' in parsed))
        assert.equal(matchGlob(parsed, given, false), 'yes')
        if (other !== given) assert.notEqual(matchGlob(parsed, other, false), 'yes')
      }),
    )
  })

  it('match in time proportional to pattern and path', () => {
    const parsed = parseGlob(`${'*a'.repeat(200)}b`)
    assert.ok(!('fault' in parsed))
    const before = process.cpuUsage()
    matchGlob(parsed, 'a'.repeat(4_000), false)
    const deep = parseGlob('**/a/'.repeat(90) + 'x')
    assert.ok(!('fault' in deep))
    matchGlob(deep, 'a/'.repeat(1_900), false)
    assert.ok(cpuMicroseconds(before) < 500_000)
  })
})

describe('scopes', () => {
  it('allow matches narrowly', () => {
    assert.equal(allows(getScope('run(git log *)'), run('git', 'log', '-3', '$x')), 'yes')
    assert.equal(allows(getScope('run(git log *)'), run('git', 'log')), 'yes')
    assert.equal(allows(getScope('run(git log)'), run('git', 'log', '-3')), 'no')
    assert.equal(allows(getScope('run(git log *)'), run('/usr/bin/git', 'log')), 'no')
    assert.equal(allows(getScope('run(git log *)'), run('git', '$x')), 'unsure')
    assert.equal(allows(getScope("run(echo 'a b' '*')"), run('echo', 'a b', '*')), 'yes')
    assert.equal(allows(getScope('run(*)'), run('anything', '$x')), 'yes')
    assert.equal(allows(getScope('read(Guide/**)'), path('guide/a')), 'no')
    assert.equal(allows(getScope('read(Guide/**)'), path('guide/a', { foldsCase: true })), 'yes')
    assert.equal(allows(getScope('read(/etc/hosts)'), { kind: 'read', names: [{ inside: null, absolute: '/etc/hosts' }] }), 'yes')
    assert.equal(allows(getScope('read(**)'), { kind: 'read', names: [{ inside: null, absolute: '/etc/hosts' }] }), 'no')
  })

  it('deny matches broadly', () => {
    assert.equal(forbids(getScope('run(rm -rf)'), run('rm', '-f', 'x', '-r'), 'run'), 'yes')
    assert.equal(forbids(getScope('run(rm -rf)'), run('rm', '-r', '--force'), 'run'), 'yes')
    assert.equal(forbids(getScope('run(rm -rf)'), run('RM', '-fr'), 'run'), 'yes')
    assert.equal(forbids(getScope('run(rm -rf)'), run('rm', '-r'), 'run'), 'no')
    for (const words of [
      ['-c', 'alias.x=push --force', 'x'],
      ['-c', 'alias.x=push', 'x', '--force'],
      ['-c', 'alias.x=!git push -f', 'x'],
    ])
      assert.equal(forbids(getScope('run(git push --force)'), run('git', ...words), 'run'), 'behind', words.join(' '))
    assert.equal(forbids(getScope('run(find -delete)'), run('find', '.', '-delete'), 'run'), 'yes')
    assert.equal(forbids(getScope('run(git log --output)'), run('git', 'log', '--output=x'), 'run'), 'yes')
    assert.equal(forbids(getScope('read(guide/**)'), path('GUIDE/a'), 'read_file'), 'yes')
    assert.equal(forbids(getScope('read(guide/secret/**)'), path('guide', { isRecursive: true }), 'search_text'), 'unsure')
    assert.equal(forbids(getScope('tool(run)'), run('ls'), 'run'), 'yes')
    assert.equal(allows(getScope('tool(run)'), run('ls')), 'no')
  })

  it('a search is covered only by what covers everything below its folder', () => {
    const search = path('guide', { isRecursive: true })
    assert.equal(allows(getScope('read(guide/**)'), search), 'yes')
    assert.equal(allows(getScope('read(guide/*)'), search), 'no')
    assert.equal(allows(getScope('read(guide)'), search), 'no')
  })

  it('hosts: allowed by name and usual port, private ones only by their literal name', () => {
    const at = (host: string, port: number | null = null) => netSubject(host, port, [])
    assert.equal(allows(getScope('net(example.org)'), at('example.org', 443)), 'yes')
    assert.equal(allows(getScope('net(example.org)'), at('example.org', 22)), 'no')
    assert.equal(allows(getScope('net(example.org:22)'), at('example.org', 22)), 'yes')
    assert.equal(allows(getScope('net(example.org)'), at('a.example.org')), 'no')
    assert.equal(allows(getScope('net(*.example.org)'), at('a.example.org')), 'yes')
    assert.equal(allows(getScope('net(*.example.org)'), at('evilexample.org')), 'no')
    assert.equal(allows(getScope('net(*)'), at('169.254.169.254')), 'no')
    assert.equal(allows(getScope('net(169.254.169.254)'), at('169.254.169.254')), 'yes')
    assert.equal(allows(getScope('net(*.example.org)'), netSubject('a.example.org', null, ['10.0.0.1'])), 'no')
    assert.equal(forbids(getScope('net(example.org)'), at('a.example.org', 22), 'run'), 'yes')
  })

  it('hosts of rules have the spelling of hosts of calls', () => {
    const same: readonly [rule: string, host: string][] = [
      ['münchen.example', 'xn--mnchen-3ya.example'],
      ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
      ['127.1', '127.0.0.1'],
      ['2130706433', '127.0.0.1'],
      ['0x7f.0.0.1', '127.0.0.1'],
      ['[0:0:0:0:0:0:0:1]', '[::1]'],
      ['ｅxample.org', 'example.org'],
      ['*.bücher.de', 'a.xn--bcher-kva.de'],
    ]
    for (const [rule, host] of same) assert.equal(forbids(getScope(`net(${rule})`), netSubject(host, null, []), 'run'), 'yes', rule)
    for (const bad of ['1.2.3.4.5', '256.1.1.1', '[:::1]']) assert.ok('fault' in parseScope(`net(${bad})`), bad)
  })

  it('a deny rule for a chat covers its topics and other spellings of its number', () => {
    const message = (address: string): Subject => ({ kind: 'message', address })
    for (const address of ['telegram:-500', 'telegram:-0500', 'telegram:-500:topic:7', 'telegram:-00500:topic:0007'])
      assert.equal(forbids(getScope('message(telegram:-500)'), message(address), 'message'), 'yes', address)
    assert.equal(forbids(getScope('message(telegram:08005)'), message('telegram:8005'), 'message'), 'yes')
    for (const address of ['telegram:-5001', 'telegram:500', 'telegram:-50'])
      assert.equal(forbids(getScope('message(telegram:-500)'), message(address), 'message'), 'no', address)
    assert.equal(allows(getScope('message(telegram:-500)'), message('telegram:-500:topic:7')), 'no')
  })

  it('wide scopes are known as such', () => {
    const wide = [
      'run(*)',
      'run(git *)',
      'write(**)',
      'read(**)',
      'mcp(*)',
      'net(*)',
      'message(*)',
      'tool(*)',
      'write(**/*)',
      'write(*/**)',
      'write(/**/*)',
      'write(?*/**)',
      'read(**/*)',
      'read(/)',
    ]
    assert.deepEqual(
      wide.filter((text) => !isWide(getScope(text))),
      [],
    )
    assert.deepEqual(
      ['run(git log *)', 'run(ls)', 'write(src/**)', 'write(*.md)', 'mcp(a/*)', 'net(a.org)', 'message(tg:*)'].filter((text) =>
        isWide(getScope(text)),
      ),
      [],
    )
  })
})
