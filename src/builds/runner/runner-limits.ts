/** Every bound of running builds in one place; those of the protocol are in src/build/build-limits.ts. */
export const buildingLimits = {
  /** Turns under way at the same time; one whose agent waits for its own teammates costs next to nothing. */
  concurrentTurns: 512,
  /** Programs of agents at the same time; further turns wait for a place. */
  concurrentPrograms: 32,
  concurrentTimers: 32,
  /** How long an agent that has asked or finished may take to end by itself. */
  endingMs: 5_000,
  page: 50,
  mostPage: 200,
  eventsPage: 1_000,
  eventsPageBytes: 100_000,
  /** How long a build stays in the list after it ended. Its events stay. */
  listedDays: 90,
  /** Answers looked up for an agent; there are no more questions than that in a build. */
  answersRead: 5_000,
} as const
