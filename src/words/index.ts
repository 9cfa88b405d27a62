import type { Language } from '../shapes/language.ts'
import type { AuthorityWords } from '../authority/authority-words.ts'
import type { DialogTexts } from '../dialogs/rules/dialog-texts.ts'
import type { PromptTexts } from '../dialogs/rules/prompt/prompt-texts.ts'
import type { SystemTexts } from '../dialogs/rules/prompt/system-prompt.ts'
import type { KindWords } from '../dialogs/rules/question-kinds/words.ts'
import type { AgentTexts } from '../agents/agent-texts.ts'
import type { StepTexts } from '../builds/rules/steps.ts'
import type { BuildTexts } from '../builds/rules/words/build-texts.ts'
import type { ChatApprovalWords } from '../chats/announce/approval-words.ts'
import type { DocumentTexts } from '../worlds/rules/context/document-texts.ts'
import type { OwnerTexts } from '../worlds/rules/owner-texts.ts'
import type { DemoWords } from '../app/demo/words.ts'
import type { DemoBuildWords } from '../app/demo/build-words.ts'
import type { DemoWorldWords } from '../app/demo/world-words.ts'
import * as en from './en/index.ts'
import * as zh from './zh/index.ts'

type ByLanguage<Words> = Readonly<Record<Language, Words>>

/**
 * Every dictionary, in every language. One export for each part, so that the page carries only its own. The pure folders may
 * import this: dictionaries take types from elsewhere and nothing else.
 */
export const authorityWords: ByLanguage<AuthorityWords> = { en: en.authority, zh: zh.authority }
export const dialogTexts: ByLanguage<DialogTexts> = { en: en.dialogs, zh: zh.dialogs }
export const promptTexts: ByLanguage<PromptTexts> = { en: en.prompt, zh: zh.prompt }
export const systemTexts: ByLanguage<SystemTexts> = { en: en.system, zh: zh.system }
/** Of languages other than English and Chinese; those two are in `src/dialogs/rules/question-kinds/words.ts`. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- Empty while there are two languages.
export const otherKindWords: Readonly<Record<Exclude<Language, 'en' | 'zh'>, KindWords>> = {}
export const agentTexts: ByLanguage<AgentTexts> = { en: en.agents, zh: zh.agents }
export const stepTexts: ByLanguage<StepTexts> = { en: en.steps, zh: zh.steps }
export const buildTexts: ByLanguage<BuildTexts> = { en: en.builds, zh: zh.builds }
export const chatApprovalWords: ByLanguage<ChatApprovalWords> = { en: en.chatApprovals, zh: zh.chatApprovals }
export const demoWords: ByLanguage<DemoWords> = { en: en.demo, zh: zh.demo }
export const demoBuildWords: ByLanguage<DemoBuildWords> = { en: en.demoBuild, zh: zh.demoBuild }
export const demoWorldWords: ByLanguage<DemoWorldWords> = { en: en.demoWorlds, zh: zh.demoWorlds }
export const worldDocumentTexts: ByLanguage<DocumentTexts> = { en: en.worldDocument, zh: zh.worldDocument }
export const worldOwnerTexts: ByLanguage<OwnerTexts> = { en: en.worldOwner, zh: zh.worldOwner }
export const noticeWords: ByLanguage<typeof en.notices> = { en: en.notices, zh: zh.notices }
export const messagingWords: ByLanguage<typeof en.messaging> = { en: en.messaging, zh: zh.messaging }
export const chatQuestionWords: ByLanguage<typeof en.chatQuestions> = { en: en.chatQuestions, zh: zh.chatQuestions }
export const inboundWords: ByLanguage<typeof en.inbound> = { en: en.inbound, zh: zh.inbound }
export const terminalWords: ByLanguage<en.TerminalWords> = { en: en.terminal, zh: zh.terminal }

/** English comes with the page. Another language is loaded when it is chosen, because the first load has a budget. */
const pageLoaders: ByLanguage<() => Promise<en.PageWords>> = {
  en: async () => en.page,
  zh: async () => (await import('./zh/page.ts')).page,
}

const loadedPages: Partial<Record<Language, en.PageWords>> = { en: en.page }

export async function loadPageWords(language: Language): Promise<void> {
  loadedPages[language] ??= await pageLoaders[language]()
}

/** English until the language is loaded. */
export const pageWords = (language: Language): en.PageWords => loadedPages[language] ?? en.page
