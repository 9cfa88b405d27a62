import type { BuildTexts } from '../../builds/rules/words/build-texts.ts'

export const builds: BuildTexts = {
  reassurances: [
    'Still working on this. Thanks for your patience.',
    'This part takes a little longer. I’m still on it.',
    'This one needs some more time. You’ll hear from me as soon as there is news.',
    'Still here, and still on it.',
  ],
  failures: {
    rules: 'I couldn’t finish this build: I lost track of where I was and couldn’t find my way back. Please try again.',
    stopped: 'I couldn’t finish this build because I stopped unexpectedly. Please try again.',
    slow: 'I couldn’t finish this build in the time I had. Please try again, perhaps with a smaller request.',
    flooded: 'I couldn’t finish this build because it became much larger than expected. Please try again with a smaller request.',
    absent: 'I can’t work on builds at the moment. Please try again later.',
    cancelled: 'I stopped this build as you asked.',
    budget: 'I couldn’t finish this build because its budget is used up. Please try again when there is more.',
    other: 'I couldn’t finish this build because something went wrong on my side. Please try again.',
  },
  manyQuestions: 'A few details, and I can continue.',
  summaries: { complete: 'Your build is ready.', failed: 'I couldn’t finish this build. Please try again.' },
}
