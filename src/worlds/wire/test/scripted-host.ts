import type { AccountView, HostOperation, HostPush, HostResult, RequestView, WorldsHost, WorldsMember } from '../../../ports/worlds.ts'

type Call = { account: string; name: HostOperation; input: Record<string, unknown> }

export type ScriptedHost = WorldsHost & {
  calls: Call[]
  online: Map<string, WorldsMember>
  /** Accounts by their lasting name. */
  accounts: Map<string, AccountView>
  push(code: string, push: HostPush): Promise<void>
  /** Replaces the answer to an operation. */
  answers: Partial<Record<HostOperation, (call: Call) => Promise<HostResult<unknown>>>>
}

/** A host that remembers accounts and calls, and pushes when it is told to. */
export function scriptedHost(): ScriptedHost {
  const accounts = new Map<string, AccountView>()
  const online = new Map<string, WorldsMember>()
  const calls: Call[] = []
  const answers: ScriptedHost['answers'] = {}
  const codes = ['7QX2MN', '8K4TQZ', '9ABCDE', 'WXYZ23']
  const ok = <Value>(value: Value): HostResult<Value> => ({ ok: true, value })
  const find = (agent: string): AccountView | undefined => Array.from(accounts.values()).find((view) => view.agent === agent)

  function open(member: string): AccountView {
    const number = accounts.size
    const view = accounts.get(member) ?? ({ agent: `agt_${number}`, key: null, identity: { agentCode: codes[number] } } as AccountView)
    accounts.set(member, view)
    return view
  }

  async function answer(call: Call): Promise<HostResult<unknown>> {
    calls.push(call)
    const scripted = answers[call.name]
    if (scripted) return scripted(call)
    if (call.name === 'account.open') return ok(open(String(call.input['member'])))
    const view = find(call.account)
    if (call.name === 'account.set-key' && view) {
      if (view.key !== call.input['previous']) return { ok: false, refusal: { code: 'bad_request', details: {} } }
      view.key = String(call.input['key'])
    }
    return ok(view)
  }

  return {
    calls,
    online,
    accounts,
    answers,
    call: (account, name, input) => answer({ account, name, input: input as Record<string, unknown> }) as never,
    connect(account, member) {
      online.set(account, member)
      return () => online.get(account) === member && online.delete(account)
    },
    async push(account, push) {
      const member = online.get(account)
      if (!member) throw new Error('offline')
      await member.receive(push)
    },
  }
}

export const request = (change: Partial<RequestView> = {}): RequestView =>
  ({
    request: 'crq_1',
    seq: 1,
    key: 'pair:agt_0::agt_1:direct',
    side: 'recipient',
    createdAt: 0,
    counterparty: { displayName: 'Mira', agentCode: '8K4TQZ', profile: null, key: null, isOnline: true },
    ...change,
  }) as RequestView
