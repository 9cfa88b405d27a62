/** The section of the settings about notifications of this browser. */
export const pageNotices = {
  title: 'Notifications',
  about: 'Questions, approvals and builds reach you when this page is closed.',
  here: 'Notify this browser',
  shows: 'On a locked screen',
  words: 'Show the question',
  nothing: 'Only that something waits',
  quiet: 'Quiet hours',
  quietFrom: 'Quiet from',
  quietTo: 'Quiet until',
  test: 'Send a test',
  tested: 'Sent. It appears in a moment.',
  failed: (why: string, when: string) => `The last notification did not arrive (${why}, ${when}). Parley retries.`,
  dropped: 'The push service of this browser dropped the subscription. Switch notifications on again.',
  said: 'This browser does not allow notifications from here. Allow them in the settings of the browser, then switch them on again.',
  noService: 'The push service of this browser cannot be reached. Check the connection of this device, then switch notifications on again.',
  obstacles: {
    insecure: 'Browsers show notifications only over HTTPS, or on the machine Parley runs on.',
    'home-screen': 'On an iPhone or iPad, add Parley to the home screen first. Then open it from there.',
    unsupported: 'This browser has no notifications for pages.',
    denied: 'This browser does not allow notifications from here. Allow them in the settings of the browser.',
  },
}

export type PageNoticeWords = typeof pageNotices
