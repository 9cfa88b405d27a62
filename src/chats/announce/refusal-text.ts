import { readLanguage } from '../../shapes/language.ts'
import { authorityWords, chatApprovalWords, messagingWords } from '../../words/index.ts'
import { fill } from '../../authority/authority-words.ts'
import { shownName } from './shown-pieces.ts'

/** Text for a person who tapped or typed where others decide. `owner` stands for an owner without an entry in `people`. */
export function onlyThey(names: readonly string[], language: string | undefined): string {
  const spoken = readLanguage(language)
  const { theOwner } = messagingWords[spoken]
  const shownNames = names.map((name) => (name === 'owner' ? theOwner : shownName(name)))
  const name = shownNames.join(chatApprovalWords[spoken].list.separator) || theOwner
  return fill(authorityWords[spoken].status.refused, { name })
}
