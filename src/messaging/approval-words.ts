import type { Language } from '../authority/authority-words.ts'

type ApprovalWords = {
  allowAll(count: number): string
  denyAll: string
  each: string
  eachBelow: string
  back: string
  open: string
  editOnPage: string
  inDialog(title: string): string
  part(number: number, total: number, isSameLine: boolean): string
  tooLong: string
  tooLarge: string
  chatScope(scopes: string): string
  chooseScope(agent: string, date: string): string
  whileUnchanged(file: string): string
  writeNote: string
  note(text: string): string
  decided(name: string, decision: string): string
  covered: string
  withdrawn: string
  interrupted: string
  irreversible: string
  lowestRole(role: string): string
  offersWorkspace: string
  surfaces: Readonly<Record<'web' | 'cli' | 'api' | 'library' | 'build', string>>
  list: { separator: string; colon: string }
}

/** Words of approvals that only chats need; titles, facts and labels are those of src/authority. */
export const approvalWords: Readonly<Record<Language, ApprovalWords>> = {
  en: {
    allowAll: (count) => `Allow all ${count} once`,
    denyAll: 'Deny all',
    each: 'Decide each',
    eachBelow: 'Decide each one below.',
    back: 'Back',
    open: 'Open',
    editOnPage: 'Edit on the page',
    inDialog: (title) => `In the chat "${title}"`,
    part: (number, total, isSameLine) => `Part ${number} of ${total}${isSameLine ? ', the same line goes on' : ''}:`,
    tooLong: 'This is too long to be shown here. Open the page to read and decide, or deny it.',
    tooLarge: 'The call is too large to be shown in full, so it can only be denied.',
    chatScope: (scopes) => `"Allow in this chat" covers ${scopes} here, for at most 30 days.`,
    chooseScope: (agent, date) => `Choose what ${agent} may always do. The permission ends on ${date}.`,
    whileUnchanged: (file) => `while ${file} is unchanged`,
    writeNote: 'Reply to this message with your note. The agent will read it.',
    note: (text) => `Note: ${text}`,
    decided: (name, decision) => `${name} decided: ${decision}.`,
    covered: 'No longer needed: allowed by a rule or grant.',
    withdrawn: 'No longer needed.',
    interrupted: 'This call had begun when the server ended, and may have taken effect. Allowing it runs it again.',
    irreversible: 'This cannot be undone.',
    lowestRole: (role) => `The lowest role that has written in this chat: ${role}.`,
    offersWorkspace: 'Calls like this are approved often. "policy.preset: workspace" in parley.yaml allows them without asking.',
    surfaces: { web: 'page', cli: 'terminal', api: 'API', library: 'API', build: 'build' },
    list: { separator: ', ', colon: ': ' },
  },
  zh: {
    allowAll: (count) => `全部 ${count} 项允许一次`,
    denyAll: '全部拒绝',
    each: '逐项决定',
    eachBelow: '请在下方逐项决定。',
    back: '返回',
    open: '打开',
    editOnPage: '在页面上修改',
    inDialog: (title) => `来自对话“${title}”`,
    part: (number, total, isSameLine) => `第 ${number}/${total} 部分${isSameLine ? '（接上一行）' : ''}：`,
    tooLong: '内容过长，无法在这里完整显示。请打开页面查看并决定，或直接拒绝。',
    tooLarge: '内容过长，无法完整显示，因此只能拒绝。',
    chatScope: (scopes) => `“在此对话中允许”在本对话内涵盖 ${scopes}，最长 30 天。`,
    chooseScope: (agent, date) => `请选择始终允许 ${agent} 做什么。授权有效期至 ${date}。`,
    whileUnchanged: (file) => `仅限 ${file} 未变更时`,
    writeNote: '请回复这条消息写下说明，代理会看到。',
    note: (text) => `说明：${text}`,
    decided: (name, decision) => `${name} 的决定：${decision}。`,
    covered: '已有规则或授权允许，无需再决定。',
    withdrawn: '无需再决定。',
    interrupted: '服务器中断时，这次调用已经开始，可能已经生效。允许后会再执行一次。',
    irreversible: '此操作无法撤销。',
    lowestRole: (role) => `此对话中发言者的最低角色：${role}。`,
    offersWorkspace: '此类调用经常获批。在 parley.yaml 中设置“policy.preset: workspace”后将不再询问。',
    surfaces: { web: '网页', cli: '终端', api: '接口', library: '接口', build: '构建' },
    list: { separator: '、', colon: '：' },
  },
}

/** The surface a person wrote by: a part of Parley, or a platform by its own name. */
export function surfaceName(via: string, language: Language): string {
  const known: Readonly<Record<string, string>> = approvalWords[language].surfaces
  return Object.hasOwn(known, via) ? (known[via] ?? via) : `${via.charAt(0).toUpperCase()}${via.slice(1)}`
}

/** Names of people of whom one decides, or several. */
export function nameList(names: readonly string[], keys: number, language: Language): string {
  if (language === 'en') return new Intl.ListFormat('en-GB', { type: keys > 1 ? 'conjunction' : 'disjunction' }).format(names)
  const last = names.at(-1) ?? ''
  // Chinese text keeps a space beside names in Latin letters, which the list format of the platform does not.
  return names.length < 2 ? last : `${names.slice(0, -1).join('、')} ${keys > 1 ? '和' : '或'} ${last}`
}
