import type { Plugin } from '../plugin.ts'

const replyEndControls: Plugin = {
  name: 'reply-end-controls',
  version: '1.0.0',
  api: 1,
  about: 'Continue or stop, under each reply.',
  setUp: () => ({}),
}

export default replyEndControls
