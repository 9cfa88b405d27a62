import { definePlugin } from '../src/plugins/host/plugin.ts'

/** Takes taps on the button of the bench, so that nothing but the acknowledgement is measured. */
export default definePlugin({
  name: 'tap',
  version: '1.0.0',
  api: 1,
  about: 'Acknowledges taps.',
  setUp: () => ({
    ownsData: (value) => value.startsWith('bench:'),
    onTap: ({ tap }) => (tap.value.startsWith('bench:') ? { toast: 'Seen' } : null),
  }),
})
