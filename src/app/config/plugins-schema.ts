import { z } from 'zod'

/** One plugin. Those that come with Parley need no module: `reply-end-controls: {}` switches it on. */
export const pluginSchema = z.strictObject({
  enabled: z.boolean().default(true).describe('false keeps its settings and leaves it out.'),
  module: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file or folder relative to this file, such as ./plugins/weather.js, or an installed package. None for one that comes with Parley.',
    ),
  config: z.record(z.string(), z.unknown()).default({}).describe('What the plugin itself wants to know: parley plugins check <name>'),
})

export type PluginConfig = z.output<typeof pluginSchema>
