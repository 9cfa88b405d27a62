import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOnly, type ProjectFile, projectFiles } from './project-files.ts'

/** Words that others use for a dialog, with the folders where another protocol's own word has to be spelled as it is there. */
const confusing: { word: string; except: RegExp }[] = [
  {
    word: 'thread',
    except: /^src\/(cli\/commands\/check-channel|agents\/message-|builds\/(rules|ag-ui)|chats\/channels|server\/routes\/|testing\/)/,
  },
  {
    word: 'conversation',
    except:
      /^src\/(plugins\/reply-end-controls\/|chats\/channels\/teams\/|testing\/teams-emulator\/|worlds\/|errors\/world-errors|app\/(stream-kinds|demo\/play-worlds)|cli\/commands\/requests-|words\/(en|zh)\/terminal-worlds|(client|ports|shapes|server)\/.*worlds?\b)/,
  },
  { word: 'subdialog', except: /^$/ },
  // Browsers that are signed in have sessions, and so have builds and tellasks, by the names of their protocols.
  { word: 'session', except: /^src\/(?!streams|store|ports\/store)/ },
]

const parts = (name: string): string[] =>
  name.split(/_|\$|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((part) => part.toLowerCase())

function confusingNames({ path, text }: ProjectFile): string[] {
  const names = new Set([...codeOnly(text).matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name))
  return [...names, ...path.split(/[/.-]/)].flatMap((name) =>
    confusing
      .filter(({ word, except }) => parts(name).some((part) => part === word || part === `${word}s`) && !except.test(path))
      .map(({ word }) => `${path}: ${name} says "${word}" (docs/VOCABULARY.md: dialog)`),
  )
}

test('names in src do not use the words of others for a dialog', (t) => {
  const files = projectFiles(['src'], /\.ts$/)
  t.diagnostic(`${files.length} files`)
  assert.ok(files.length > 20)
  assert.deepEqual(files.flatMap(confusingNames), [])
})

test('a confusing word is found in names, not in texts and comments', () => {
  assert.equal(confusingNames({ path: 'src/streams/a.ts', text: 'const sessionThread = 1' }).length, 2)
  assert.equal(confusingNames({ path: 'src/dialogs/conversation-list.ts', text: '' }).length, 1)
  assert.deepEqual(confusingNames({ path: 'src/streams/a.ts', text: "// a session\nconst dialog = 'a thread'" }), [])
})
