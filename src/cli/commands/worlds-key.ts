import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeFileAtomic } from '../../app/config/write-file-atomic.ts'
import { ParleyError } from '../../errors.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { withWorldHost } from '../joined.ts'
import type { Terminal } from '../terminal.ts'

const localName = (agent: string): string => `local:${agent}`

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { wire } = terminal.words
  const { toOwnKeys } = await import('../../app/joined-host.ts')
  const [agent, from, to] = [given.text('account'), given.text('import'), given.text('export')]
  await withWorldHost(terminal, async ({ host, identities }) => {
    if (from !== undefined || to !== undefined) {
      if (agent === undefined) throw new UsageError(wire.noKey, '--account AGENT')
      if (to !== undefined) {
        const file = resolve(terminal.cwd, to)
        writeFileAtomic(file, identities.export(localName(agent)), 0o600)
        return terminal.result({ file }, () => wire.exported(file))
      }
      const imported = identities.import(localName(agent), readFileSync(resolve(terminal.cwd, from ?? ''), 'utf8'))
      if (!imported) throw new UsageError(wire.importFailed, 'parley worlds key --export FILE')
      return terminal.result({ key: imported.key.publicKey }, () => wire.imported(imported.key.publicKey))
    }
    const listOwn = () => (agent === undefined ? identities.list() : [identities.ofMember(localName(agent)) ?? []].flat())
    if (given.on('rotate'))
      for (const { account } of listOwn()) {
        if (!account) continue
        const rotated = await host.rotateKey(account.agent)
        if (!rotated.ok) throw new ParleyError(rotated.refusal.code, rotated.refusal.details)
      }
    const keys = toOwnKeys(listOwn())
    terminal.result({ keys }, () =>
      keys.map((each) => (given.on('rotate') ? wire.rotated(each.fingerprint) : `${each.code ?? '?'}  ${each.fingerprint}  ${each.key}`)),
    )
    if (keys.length === 0 && !terminal.json) terminal.say(wire.noKey)
  })
}
