type Exception = { file: string; source: string; why: string }

/** Expressions that would take more than linear time on a long text, and why they never get one. */
export const bounded: readonly Exception[] = [
  {
    file: 'src/app/config/variables.ts',
    source: String.raw`(\$?)\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}`,
    why: 'fillVariables cuts the text behind its last brace, so each `${` finds one; measured as fillVariables in entry-points.ts',
  },
  {
    file: 'src/testing/telegram-emulator/entities.ts',
    source: String.raw`<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[^<>]*)?)>|&(#x[0-9a-fA-F]+|#[0-9]+|[a-z]+);|([\s\S])`,
    why: 'a stand-in for tests, which reads messages of at most 4,096 characters',
  },
]

/** Expressions made at run time, and what bounds the text they are made of and the text they read. */
export const madeAtRunTime: readonly { file: string; why: string }[] = [
  {
    file: 'src/builds/rules/words/inner-workings.ts',
    why: 'made of constants when the module is loaded; reads one sentence and is measured as guardWords in entry-points.ts',
  },
  {
    file: 'src/builds/rules/words/machinery.ts',
    why: 'made of constants when the module is loaded; reads one sentence and is measured as guardWords in entry-points.ts',
  },
  {
    file: 'src/builds/rules/words/own-work.ts',
    why: 'made of constants when the module is loaded; reads at most 400 characters and is measured as guardWords in entry-points.ts',
  },
  {
    file: 'src/chats/presentation/split-text.ts',
    why: 'made of the marker of a fence; reads one line, anchored at its beginning, and is measured as splitOnce in entry-points.ts',
  },
  {
    file: 'src/search/words.ts',
    why: 'made of constants when the module is loaded: two classes of characters that share none, each repeated once',
  },
  {
    file: 'src/testing/telegram-emulator/entities.ts',
    why: 'made of the name of an attribute; reads one tag of a message of at most 4,096 characters',
  },
  {
    file: 'src/worlds/rules/boundary/canary.ts',
    why: 'made of constants when the module is loaded: one class of characters, repeated once',
  },
  {
    file: 'web/src/markdown/highlight.ts',
    why: 'made of constants when the module is loaded; reads at most 20,000 characters, each alternative with one way to match',
  },
]
