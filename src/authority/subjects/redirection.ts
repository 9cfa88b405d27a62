import { commandWord } from './literal-word.ts'
import { parseNetHost } from './net.ts'
import type { Redirect } from './shell-syntax.ts'
import type { NetSubject } from './subject.ts'
import type { Unsure } from './unsure.ts'

export type FileUse = { access: 'read' | 'write'; path: string }

/** The effect of a redirection, or the reason it is not known. */
export type RedirectionEffect = { files?: readonly FileUse[]; net?: NetSubject; unsure?: Unsure }

/**
 * | operator | effect |
 * |---|---|
 * | `<` | read |
 * | `>` `>>` `>\|` `&>` `&>>`, `>&` with a name | write |
 * | `<>` | read and write |
 * | `2>&1` `<&3` `>&-` `2>&1-` | none: descriptors that are open already |
 * | any, to `/dev/tcp/host/port` or `/dev/udp/…` | net |
 * | any, to `/dev/null` | none |
 * | a target that bash would expand | unsure |
 */
export function redirectionEffect({ operator, target, descriptor }: Redirect): RedirectionEffect {
  if (!target) return { unsure: { why: 'syntax' } }
  // {name}>file puts a number into a variable.
  if (descriptor?.type === 'FileDescriptorVariable') return { unsure: { why: 'assignment', detail: descriptor.name } }
  const word = commandWord(target)
  if (!word.isLiteral) return { unsure: { why: 'redirection', detail: target.text } }
  if (operator === '>&' || operator === '<&') {
    if (/^(?:\d+-?|-)$/.test(word.value)) return {}
    if (operator === '<&') return { unsure: { why: 'redirection', detail: target.text } }
  }
  const path = word.value
  if (path === '/dev/null') return {}
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) {
    const [host = '', port = ''] = path.split('/').slice(3)
    const net = parseNetHost(`${host.includes(':') ? `[${host}]` : host}:${port}`)
    return net ? { net } : { unsure: { why: 'redirection', detail: path } }
  }
  if (path === '') return { unsure: { why: 'redirection', detail: target.text } }
  if (operator === '<') return { files: [{ access: 'read', path }] }
  const write: FileUse = { access: 'write', path }
  return { files: operator === '<>' ? [{ access: 'read', path }, write] : [write] }
}
