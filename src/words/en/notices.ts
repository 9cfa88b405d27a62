/** Notifications on a device and by e-mail. What stands under `hidden` says nothing but that something waits. */
export const notices = {
  asks: (agent: string) => `${agent} asks you`,
  approval: (agent: string) => `${agent} needs your approval`,
  limit: (agent: string) => `${agent} has reached a limit`,
  buildAsks: (agent: string) => `${agent} asks you about a build`,
  buildDone: 'Your build is finished',
  buildFailed: 'Your build failed',
  hidden: {
    question: 'A question waits for you',
    approval: 'An approval waits for you',
    buildDone: 'A build is finished',
    buildFailed: 'A build failed',
  },
  openApp: 'Open Parley to read it.',
  open: 'Open',
  deny: 'Deny',
  sent: 'Answer sent',
  denied: 'Denied',
  notSent: 'Your answer was not sent. Open Parley to answer.',
  test: 'Notifications work',
  testBody: 'This is how Parley tells you that something waits for you.',
  mail: {
    read: 'Read and answer it here:',
    noReply: 'This address does not read replies.',
    noLink: 'Open Parley to answer. Set server.origins in parley.yaml to get a link here.',
  },
}
