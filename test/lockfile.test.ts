import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from './project-files.ts'

type Locked = { version?: string; resolved?: string; integrity?: string; optionalDependencies?: Record<string, string> }

const text = readFileSync(`${root}package-lock.json`, 'utf8')
const packages = (JSON.parse(text) as { packages: Record<string, Locked> }).packages

/** The machines people develop on. npm leaves a binding out of the lock when the registry lacks it, and `npm ci` then fails everywhere. */
const machines = [/linux-x64(-gnu)?$/, /linux-arm64(-gnu)?$/, /darwin-arm64$/, /darwin-x64$/, /win32-x64(-msvc)?$/]

const natives = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
  const bindings = Object.keys(optionalDependencies).filter((name) => /(linux|darwin|win32)/.test(name))
  return path === '' || bindings.length === 0 ? [] : [{ name: path.replace(/^.*node_modules\//, ''), bindings }]
})

test('every native package is locked for every machine it is made for', (t) => {
  t.diagnostic(`${natives.length} native packages: ${natives.map(({ name }) => name).join(', ')}`)
  const names = natives.map(({ name }) => name)
  for (const known of ['rolldown', 'oxlint', 'oxfmt', 'oxlint-tsgolint', 'typescript', 'lightningcss'])
    assert.ok(names.includes(known), `${known} was not looked at`)
  assert.deepEqual(
    natives.flatMap(({ bindings }) =>
      bindings.filter(
        (binding) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${binding}`) && packages[path]?.integrity),
      ),
    ),
    [],
    'missing from package-lock.json: choose a version that the registry has for all platforms, delete the lock and node_modules, and install again',
  )
})

test('every native package exists for the machines people develop on', () => {
  assert.deepEqual(
    natives.flatMap(({ name, bindings }) =>
      machines.filter((machine) => !bindings.some((binding) => machine.test(binding))).map((machine) => `${name} ${machine}`),
    ),
    [],
  )
})

test('the Node that runs everything is locked, and only its install script may run', () => {
  const { allowScripts, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    allowScripts: object
    devDependencies: Record<string, string>
  }
  assert.equal(packages['node_modules/node']?.version, devDependencies['node'])
  assert.deepEqual(allowScripts, { node: true })
})

test('the lockfile names no address', () => {
  assert.ok(Object.keys(packages).length > 100)
  assert.doesNotMatch(text, /"resolved"|\.tgz/)
})
