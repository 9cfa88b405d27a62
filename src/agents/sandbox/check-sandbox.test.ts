import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkSandbox, explainFailure, installCommand, type LinuxFacts } from './check-sandbox.ts'

const facts = (settings: Record<string, string> = {}, isContainer = false): LinuxFacts => ({
  distribution: 'id=debian',
  isContainer,
  setting: (name) => settings[name] ?? '',
})
const denied = 'bwrap: No permissions to create new namespace, likely because the kernel does not allow it.\n'

describe('explainFailure', () => {
  it('names the kernel setting that switches user namespaces off', () => {
    const next = (settings: Record<string, string>): string => explainFailure(denied, facts(settings)).next
    assert.equal(next({ 'kernel.unprivileged_userns_clone': '0' }), 'sudo sysctl -w kernel.unprivileged_userns_clone=1')
    assert.equal(
      next({ 'kernel.unprivileged_userns_clone': '1', 'kernel.apparmor_restrict_unprivileged_userns': '1' }),
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    )
    assert.equal(next({ 'user.max_user_namespaces': '0' }), 'sudo sysctl -w user.max_user_namespaces=10000')
  })

  it('names the options of Docker in a container', () => {
    assert.match(explainFailure(denied, facts({}, true)).next, /--security-opt seccomp=.*--privileged/)
  })

  it('asks for a newer bubblewrap when an option is unknown', () => {
    const { why, next } = explainFailure('bwrap: Unknown option --disable-userns\n', facts())
    assert.match(why, /too old/)
    assert.equal(next, 'sudo apt-get install bubblewrap')
  })
})

describe('checkSandbox', () => {
  it('names the package and the command that installs it', async () => {
    const check = (hasHosts: boolean): ReturnType<typeof checkSandbox> =>
      checkSandbox({ env: { PATH: '/nowhere' }, hasHosts, platform: 'linux', facts: facts() })
    assert.deepEqual(await check(false), { why: 'bubblewrap is not installed', next: 'sudo apt-get install bubblewrap' })
    assert.equal((await check(true))?.next, 'sudo apt-get install bubblewrap socat ripgrep')
    assert.equal(installCommand('id=fedora', false), 'sudo dnf install bubblewrap')
    assert.equal(installCommand('id=arch', false), 'sudo pacman -S bubblewrap')
  })

  it('is never available on Windows', async () => {
    assert.match((await checkSandbox({ env: process.env, hasHosts: false, platform: 'win32' }))?.why ?? '', /no sandbox for this system/)
  })
})
