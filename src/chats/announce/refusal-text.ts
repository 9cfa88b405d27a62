import { fill, words } from '../authority/authority-words.ts'
import { approvalWords } from './approval-words.ts'
import { messagingWords, spokenBy } from './messaging-words.ts'
import { shownName } from './shown-pieces.ts'

/** What a person reads who tapped or typed where others decide. `owner` stands for an owner without an entry in `people`. */
export function onlyThey(names: readonly string[], language: string | undefined): string {
  const spoken = spokenBy(language)
  const { theOwner } = messagingWords[spoken]
  const shown = names.map((name) => (name === 'owner' ? theOwner : shownName(name)))
  const name = shown.join(approvalWords[spoken].list.separator) || theOwner
  return fill(words[spoken].status.refused, { name })
}
