import type { AgentTexts } from '../../agents/agent-texts.ts'
import { type Language, languages } from '../../shapes/language.ts'

/** Names of languages inside a sentence; others are named as their own speakers do. */
const names: Partial<Record<Language, string>> = { en: 'English', zh: 'Chinese' }

export const agents: AgentTexts = {
  prompt: {
    teammates: 'Your teammates:',
    calls:
      'To ask a teammate, call tellask (a side dialog that is kept under a name) or tellaskSessionless (once). It knows nothing of this dialog, so say all it needs. You rest until every reply has come. One request gets one reply; for more, ask again.',
    dropped: 'The oldest part of this dialog is no longer shown to you. If you need something from it, say so and ask.',
    reminders:
      'Your reminders. They stay when your mind is cleared; keep them short and true with add_reminder, update_reminder and delete_reminder, by number.',
    language: (own) =>
      own
        ? `[Answer in ${names[own] ?? languages[own].name}.]`
        : '[Answer in the language of the latest message; if it has none, in English.]',
    noTools: 'There are no tools here, and no other agent can be called. Think from the text you are given, and answer in words.',
  },
  memories: {
    team: 'What the team remembers',
    own: 'What you remember',
    leftOut: (count) => `${count} more memories were omitted: there is no room for them. Drop or shorten some.`,
  },
  taskdoc: {
    title: 'Task document',
    bearInMind: 'Bear in mind',
    moreSections: 'More sections (read them with recall_taskdoc)',
    cut: (bytes) => `[The task document is longer than 100 KB: ${bytes} bytes are omitted here. Shorten its sections.]`,
  },
  outputLimit: '[The model stopped here: it reached its output limit.]',
  noSandbox: 'Not run: the sandbox is not available. A person must install it.',
  blockedHosts: (hosts) => `[Blocked hosts: ${hosts.join(', ')}. Name those that the command needs in hosts.]`,
}
