import type { Access } from '../auth/access.ts'
import { routeEffects } from '../../shapes/operations.ts'
import { agUiRuns } from '../../builds/ag-ui/ag-ui-runs.ts'
import { agUiResponse, checkMessages } from '../../builds/ag-ui/ag-ui-stream.ts'
import { runInput } from '../../builds/ag-ui/run-input.ts'
import { ParleyError } from '../../errors.ts'
import type { Log } from '../../ports/log.ts'
import { requestId } from '../app.ts'
import { toFailure } from '../refusals.ts'
import { route } from './route.ts'

/** Builds for AG-UI frontends. What a run does decides which further capability it needs. */
export function agUiRoute(access: Access, streamsOver: AbortSignal, log: Log) {
  return route({
    operation: 'builds.agUi',
    summary: 'A build as an AG-UI run: a new thread opens one (scope chat), `resume` answers what is asked (scope answer)',
    body: runInput,
    status: 200,
    async handle({ body, caller, principal, mustBeAllowedTo, header, signal, live, parley }) {
      mustBeAllowedTo(routeEffects.readBuild)
      await checkMessages(body)
      // Before any change: a run without a reader is not started.
      const open = live('ag-ui')
      const run = await agUiRuns(parley.builds)({
        input: body,
        caller: { ...caller, via: 'ag-ui' },
        need: mustBeAllowedTo,
      })
      return {
        raw: await agUiResponse(run, {
          evicted: open.signal,
          turn: open.turn,
          sent: open.sent,
          accept: header('accept'),
          left: signal,
          closing: streamsOver,
          isStillAllowed: () => access.isAlive(principal),
          onRevoked: (listen) => access.onRevoked(principal, listen),
          onFault(error) {
            const request = requestId()
            const { isBug } = toFailure(error, request)
            if (isBug) log('error', 'an AG-UI run met a fault of ours', { request, build: run.build, error })
            return error instanceof ParleyError && !isBug ? error : new ParleyError('internal', { request })
          },
        }),
      }
    },
  })
}
