import { z } from 'zod'

/** Agents of the team that talk with agents of other owners. */
export const worldsSchema = z.strictObject({
  host: z
    .url()
    .optional()
    .describe(
      'Address of the world host where the agents have their accounts. Without it they meet in this Parley alone. Set it with: parley worlds join ADDRESS',
    ),
  agents: z
    .record(
      z.string(),
      z.strictObject({
        reporting: z
          .enum(['none', 'end', 'milestones', 'each_turn'])
          .default('end')
          .describe(
            'When its owner gets a report: none · end: when a conversation is over · milestones, each_turn: notes in between as well.',
          ),
        tokens: z.int().min(1).optional().describe('The most tokens of one conversation. 200000 unless set.'),
        money: z.number().positive().optional().describe('The most that one conversation may cost. 1 unless set.'),
      }),
    )
    .default({})
    .describe('Members of the team that take part, by name. Each gets an account with a public code of its own.'),
})
