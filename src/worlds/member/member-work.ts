/** Work of a member. Keys of seats and reports are `request:agent`. */
export const memberWork = {
  seat: 'world-seat',
  report: 'world-report',
  /** Closes all conversations of an account after its kill switch; the key is the agent. */
  stop: 'world-stop',
} as const
