import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const audience = 'src/authority/audience.test.ts'
const causes = 'src/authority/cause.test.ts'
const chats = 'test/delivery/approvals.test.ts'
const crashes = 'test/approvals/crash-points.test.ts'
const driver = 'src/dialogs/driver/gatekeeper.test.ts'
const floor = 'src/dialogs/rules/turn-cause.test.ts'
const gate = 'src/authority/attacks.test.ts'
const own = 'src/server/auth/own.test.ts'
const principal = 'src/server/auth/principal.test.ts'
const property = 'src/authority/decide.property.test.ts'
const routes = 'src/server/routes/route-capabilities.test.ts'
const rules = 'src/dialogs/rules/decide-approval.property.test.ts'
const scopes = 'src/authority/capabilities.test.ts'
const telegram = 'test/telegram/authority.e2e.test.ts'
const hostile = 'test/telegram/attacks.e2e.test.ts'
const tools = 'test/approvals/real-tools.test.ts'

/** Invariants of the authority specification, with the files whose tests are named after them. */
const invariants: Readonly<Record<string, readonly string[]>> = {
  A1: ['test/tool-gates.test.ts'],
  A2: [driver],
  A3: [property],
  A4: [property],
  A5: [property],
  A6: [property],
  A7: [property],
  A8: [property],
  A9: [property],
  A10: [property],
  A11: [driver],
  A12: [audience, driver, floor, rules, 'src/agents/taskdoc/taskdoc-in-dialog.test.ts'],
  A13: [audience, driver, rules],
  A14: [driver, rules],
  A15: [crashes],
  A16: [crashes, driver, 'test/approvals/store-copy.sqlite.test.ts'],
  A17: [chats, rules],
  A18: [driver, rules],
  A19: [causes, floor, 'src/agents/taskdoc/taskdoc-in-dialog.test.ts'],
  A20: [causes, floor],
  A21: [causes, chats],
  A22: [causes, 'src/authority/decide.test.ts'],
  A23: [driver],
  A24: [routes, scopes],
  A25: [own],
  A26: [own, principal, scopes],
  A27: [chats, 'src/dialogs/driver/prepare-prompt.test.ts'],
  A28: [own],
  A29: [property],
  A30: [property, 'src/app/config/load-policy.test.ts', 'test/policy.sqlite.test.ts'],
  A31: ['test/sandbox-missing.e2e.test.ts'],
}

/** Its attacks, by number. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  1: [gate, telegram],
  2: [gate, driver, hostile],
  3: [chats, hostile],
  4: [gate, driver],
  5: [gate, principal, hostile],
  6: [gate, telegram, hostile],
  7: [routes],
  8: [routes],
  9: [gate],
  10: [gate],
  11: [gate],
  12: [gate],
  13: [gate],
  14: [gate],
  15: [gate],
  16: [gate],
  17: [gate],
  18: [gate],
  19: [gate, tools, hostile],
  20: [gate, driver, tools],
  21: [driver, tools],
  22: [chats, hostile],
  23: [gate, 'test/approvals/talk.test.ts'],
  24: [gate, chats],
  25: [chats, telegram],
}

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

test('authority checklist: each of the 31 invariants has a test', (t) => {
  const labels = Array.from({ length: 31 }, (_, index) => `A${index + 1}`)
  checkList(invariants, labels, (label) => new RegExp(`(?:test|it)\\([^\\n]*\\b${label}\\b`))
  t.diagnostic(`${Object.values(invariants).flat().length} files name an invariant`)
})

test('authority checklist: each of the 25 attacks has a test', (t) => {
  const numbers = Array.from({ length: 25 }, (_, index) => String(index + 1))
  // In the tables of attacks the number begins the name.
  checkList(attacks, numbers, (number) => new RegExp(`\\battack ${number}\\b|['"\`](?:\\d+, )*${number}(?:, \\d+)*(?:: | )`))
  t.diagnostic(`${Object.values(attacks).flat().length} files name an attack`)
})

function checkList(list: typeof attacks, labels: readonly string[], pattern: (label: string) => RegExp): void {
  assert.deepEqual(Object.keys(list), labels)
  for (const [label, files] of Object.entries(list)) {
    assert.ok(files.length > 0, label)
    for (const file of files) assert.match(read(file), pattern(label), `${file} has no test named after ${label}`)
  }
}
