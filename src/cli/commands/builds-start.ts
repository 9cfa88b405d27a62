import type { CommandFunction } from '../command-row.ts'
import type { Language } from '../../shapes/language.ts'
import { withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { followBuild } from '../follow-build.ts'
import { readStdin } from '../read-stdin.ts'

export const run: CommandFunction = async (terminal, given) => {
  const prompt = given.arg(0) === '-' ? await readStdin(terminal, 'The request') : given.arg(0)
  const agent = given.text('agent')
  const language = (given.text('language') as Language | undefined) ?? terminal.language
  return withServer(terminal, async ({ client }) => {
    const ids = await client.builds.start({ prompt, language, ...(agent === undefined ? {} : { agent }) })
    if (!given.on('detach')) return followBuild(terminal, client, ids.build_id)
    terminal.result(ids, () => ids.build_id)
    if (!terminal.json) terminal.say(terminal.words.builds.goesOn(ids.build_id))
    return exitCode.ok
  })
}
