/** Every bound of running builds in one place; those of the protocol are in src/builds/rules/build-limits.ts. */
export const buildingLimits = {
  /** Turns under way at the same time; one whose agent waits for its own teammates costs next to nothing. */
  concurrentTurns: 512,
  /** Programs of agents at the same time; further turns wait for a place. */
  concurrentPrograms: 32,
  concurrentTimers: 32,
  /** Time for an agent to exit after it has asked or finished. */
  endingMs: 5_000,
  /** Between two tries to reach a store that is away; a turn that was cut waits so much longer each time, up to the factor. */
  outageRetryMs: 1_000,
  outageRetryFactor: 30,
  eventsPage: 1_000,
  eventsPageBytes: 100_000,
  /** Days a build stays listed after its end. Its events stay longer. */
  listedDays: 90,
  /** Answers looked up for an agent; there are no more questions than that in a build. */
  answersRead: 5_000,
} as const
