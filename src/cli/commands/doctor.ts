import type { CommandFunction } from '../command-row.ts'
import { type Finding, type Patient, wrong } from '../doctor/finding.ts'
import { checkDataFolder, checkNode, checkPage, checkPrivacy } from '../doctor/machine.ts'
import { checkInbox, checkNote, checkServer, checkTokens } from '../doctor/server.ts'
import { checkConfig, checkModels, checkTeam } from '../doctor/set-up.ts'
import { asTypedHere } from '../command-name.ts'
import { checkModelPrograms } from '../doctor/model-programs.ts'
import { getCheckSandbox, checkTrust } from '../doctor/sandbox.ts'
import { checkStore } from '../doctor/store.ts'
import { exitCode } from '../exit-code.ts'
import { getFault } from '../fault.ts'
import { listPlaces } from '../places.ts'
import { withProgress } from '../progress.ts'
import { plainText } from '../plain-text.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'

async function examine(patient: Patient): Promise<Finding[]> {
  const { config, findings: configFindings } = await checkConfig(patient)
  const notes = checkNote(patient)
  const server = await checkServer(patient, config?.server.port ?? 4700)
  const inbox = server.client
    ? await checkInbox(server.client).catch((error: unknown) => {
        const { message, hint } = getFault(error)
        return wrong('inbox', message, hint)
      })
    : null
  // A token that may not list tokens is no fault of the set-up.
  const tokens = server.client ? await checkTokens(server.client).catch(() => []) : []
  return [
    checkNode(),
    checkDataFolder(patient),
    checkPrivacy(patient),
    await checkStore(patient, config),
    ...configFindings,
    ...(await checkTeam(patient, config)),
    ...(await getCheckSandbox(patient, config)),
    ...checkTrust(config),
    ...(await checkModelPrograms(patient, config)),
    ...(await checkModels(patient, config)),
    checkPage(),
    ...notes,
    ...server.findings,
    ...tokens,
    ...(inbox ? [inbox] : []),
  ]
}

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const places = await listPlaces(terminal)
  const patient: Patient = { terminal, places, fix: given.on('fix'), env: withSecrets(terminal.env, places.data) }
  const examined = await withProgress(terminal, words.checking, () => examine(patient))
  const findings = examined.map((finding) => ({
    ...finding,
    what: asTypedHere(finding.what),
    next: finding.next === null ? null : asTypedHere(finding.next),
  }))
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const marks = { ok: paint.green('✓'), note: paint.dim('·'), warning: paint.yellow('!'), error: paint.red('✗') }
  terminal.result({ ok: errors + warnings === 0, errors, warnings, findings }, () =>
    findings.flatMap(({ level, what, next, fixed }) => [
      `${marks[level]} ${plainText(what)}${fixed ? paint.green(` (${words.fixed})`) : ''}`,
      ...(next === null ? [] : [`  ${paint.cyan('→')} ${plainText(next)}`]),
    ]),
  )
  if (!terminal.json) terminal.say('', errors + warnings === 0 ? words.allWell : words.findings(errors, warnings))
  return given.on('lint') && errors + warnings > 0 ? exitCode.failed : exitCode.ok
}
