import { capabilities, capabilityNames, tokenScopes } from '../src/authority/capabilities.ts'
import { findDefault } from '../src/authority/defaults.ts'
import { roles } from '../src/authority/roles.ts'
import { routeCapabilities, type RouteRow } from '../src/authority/route-capabilities.ts'
import { type ToolKind, toolKinds, toolNames } from '../src/authority/tool-kinds.ts'
import { rows as commandRows } from '../src/cli/table.ts'

const head = `# Authority

Who may do what, at the API, in the terminal and by way of an agent. This page is written from the code by \`npm run docs\`; a test compares them. How to set it up: [upgrade](guides/upgrade.md#agents-ask-before-they-act).

A **role** says how far text of a person is trusted: ${roles.join(' > ')}. People get theirs under \`people\` in \`parley.yaml\`, tokens when they are made. A **capability** is what a role includes at the API. A **scope** bundles capabilities for a token; a token has the capabilities of its role that its scopes include.
`

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const code = (text: string): string => `\`${text}\``

function capabilityTable(): string {
  type Row = { lowest: string; inChat?: string; ifListed?: string; needs?: string }
  return table(
    ['capability', 'roles', 'also'],
    capabilityNames.map((name) => {
      const { lowest, inChat, ifListed, needs }: Row = capabilities[name]
      const holders = roles.slice(0, roles.indexOf(lowest as (typeof roles)[number]) + 1)
      const also = [
        ...(inChat ? [`down to ${inChat} in a chat they were admitted to`] : []),
        ...(ifListed ? [`${ifListed}s that \`policy.approvers\` or the rule lists`] : []),
        ...(needs ? ['only what is addressed to them; owners and operators always'] : []),
      ]
      return [code(name), holders.join(', '), also.join('; ')]
    }),
  )
}

const scopeTable = (): string =>
  table(
    ['scope', 'capabilities'],
    Object.entries(tokenScopes).map(([scope, names]) => [
      code(scope),
      names.length === capabilityNames.length ? 'all' : names.map(code).join(', '),
    ]),
  )

function routeTable(): string {
  const rows = routeCapabilities.filter(({ later }) => !later)
  const order = (capability: RouteRow['capability']): number => (capability === 'open' ? -1 : capabilityNames.indexOf(capability))
  return table(
    ['route', 'capability', 'for what others own', 'for an effect', 'limited token'],
    rows
      .toSorted((a, b) => order(a.capability) - order(b.capability))
      .map(({ method, path, capability, or, beyond, effects = {}, limited, legacyScope }) => [
        code(`${method.toUpperCase()} ${path}`),
        capability === 'open' ? 'open' : [capability, or].flatMap((one) => (one ? [code(one)] : [])).join(' or '),
        beyond ? code(beyond) : '',
        [
          ...Object.entries(effects).map(([effect, needed]) => `${effect}: ${code(needed)}`),
          ...(legacyScope ? [`tokens of 0.1 with ${code(legacyScope)}`] : []),
        ].join('; '),
        limited ? 'yes' : '',
      ]),
  )
}

function verbTable(): string {
  const byCapability = new Map<string, string[]>()
  for (const { path, needs } of commandRows) byCapability.set(needs, [...(byCapability.get(needs) ?? []), path])
  const order: readonly string[] = [...capabilityNames, 'local']
  return table(
    ['capability', 'commands'],
    order.flatMap((name) => {
      const verbs = byCapability.get(name)
      if (!verbs) return []
      return [[name === 'local' ? 'none: files of the account' : code(name), verbs.toSorted().map(code).join(', ')]]
    }),
  )
}

const kindNotes: Partial<Record<ToolKind, string>> = {
  'world-read': 'claworld_\\* that read',
  'world-change': 'claworld_\\* that publish, request, accept, join or change',
  net: 'hosts that a command or program wants to reach',
  message: '`message` to another address than its own',
  mcp: 'tools of MCP servers',
  code: 'tools of plugins, agent modules and programs; `gate: allow` in the tool runs without asking for members and above',
}

/** A dash is denied unless a rule allows it for the role. */
function toolTable(): string {
  const effectTexts = { allow: 'allow', ask: 'ask', never: '–' } as const
  return table(
    ['kind', 'tools', ...roles],
    toolKinds.map((kind) => {
      const names: readonly string[] = toolNames[kind as keyof typeof toolNames] ?? []
      return [
        kind,
        kindNotes[kind] ?? names.map(code).join(', '),
        ...roles.map((role) => effectTexts[findDefault(null, { kind }, role, 'ask')]),
      ]
    }),
  )
}

/** The page as it should be. */
export function authorityPage(): string {
  const sections: [string, string, string][] = [
    ['Capabilities', '', capabilityTable()],
    ['Scopes of tokens', '`read` and `chat` reach what others own only for operators and owners.', scopeTable()],
    [
      'Routes',
      'Without the capability in the third column a caller sees and changes their own: dialogs they opened or spoke in with the trees of these, builds they started, questions addressed to them. Everything else is not found. A token limited to one dialog or build uses the routes marked in the last column, for that one; every other route is not found.',
      routeTable(),
    ],
    ['Terminal commands', 'A command needs the capability of the route it calls.', verbTable()],
    [
      'Tools of agents',
      'Defaults of the preset `ask`, by the lowest role whose text is in the tree of dialogs. A dash is denied unless a rule allows it. `workspace` allows sandboxed commands without network and writes in `writeDirs` for owner and operator; `locked` denies where `ask` asks.',
      toolTable(),
    ],
  ]
  return `${head}\n${sections.map(([title, text, rows]) => `## ${title}\n\n${text === '' ? '' : `${text}\n\n`}${rows}\n`).join('\n')}`
}
