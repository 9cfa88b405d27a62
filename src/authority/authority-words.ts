import type { ApprovalDecision } from './audience.ts'
import type { Role } from './roles.ts'
import type { UnsureWhy } from './subjects/unsure.ts'

export type Language = 'en' | 'zh'

/** Every text of the gate and of approvals. `{name}` is filled in by `fill`. */
export type AuthorityWords = {
  title: Readonly<Record<'run' | 'write' | 'message' | 'tool' | 'batch', string>>
  facts: string
  roles: Readonly<Record<Role, string>>
  actions: Readonly<Record<ApprovalDecision | 'denyWithNote', string>>
  status: Readonly<Record<'requester' | 'refused' | 'late' | 'stopped' | 'changed' | 'keys', string>>
  because: Readonly<
    Record<
      | 'noGate'
      | 'invalidInput'
      | 'hidden'
      | 'fixed'
      | 'ruleAllow'
      | 'ruleAsk'
      | 'ruleDeny'
      | 'never'
      | 'noSubject'
      | 'unsure'
      | 'grantChat'
      | 'grantAlways'
      | 'default'
      | 'locked'
      | 'askByDefault'
      | 'tooMany',
      string
    >
  >
  unsure: Readonly<Record<UnsureWhy, string>>
  /** Facts beside what an approval shows. */
  shown: Readonly<
    Record<
      | 'folder'
      | 'network'
      | 'noNetwork'
      | 'sandbox'
      | 'sandboxOn'
      | 'sandboxOff'
      | 'timeLimit'
      | 'seconds'
      | 'script'
      | 'realPath'
      | 'fails'
      | 'action'
      | 'message'
      | 'replyTo'
      | 'media'
      | 'silent'
      | 'yes'
      | 'differs',
      string
    >
  >
  explain: Readonly<Record<'subjects' | 'rules' | 'decision' | 'none' | 'line' | 'allow' | 'ask' | 'deny' | 'once', string>>
}

const en: AuthorityWords = {
  title: {
    run: 'Allow {agent} to run this command?',
    write: 'Allow {agent} to change {path}?',
    message: 'Allow {agent} to send this message to {target}?',
    tool: 'Allow {agent} to use {tool} ({server})?',
    batch: '{agent} needs {n} approvals',
  },
  facts: 'Requested by {name} ({role}, {surface}). Reason: {why}.',
  roles: { owner: 'owner', operator: 'operator', member: 'member', guest: 'guest', group: 'group', peer: 'peer agent' },
  actions: {
    once: 'Allow once',
    chat: 'Allow in this chat',
    always: 'Always allow…',
    deny: 'Deny',
    denyWithNote: 'Deny with a note',
  },
  status: {
    requester: 'Waiting for {name} to approve.',
    refused: 'Only {name} can decide this.',
    late: '{name} already decided: {decision}.',
    stopped: 'No longer needed: the turn was stopped.',
    changed: '{tool} has changed. Please decide again.',
    keys: '{k} of {n} approvals: {names}',
  },
  because: {
    noGate: 'This tool declares no gate.',
    invalidInput: 'The input does not fit the tool.',
    hidden: '{subject} is hidden: it belongs to Parley or may hold secrets.',
    fixed: '{subject} cannot be written: Parley or git loads code from it.',
    ruleAllow: 'The rule "{rule}" allows {subject}.',
    ruleAsk: 'The rule "{rule}" asks for approval of {subject}.',
    ruleDeny: 'The rule "{rule}" denies {subject}.',
    never: 'No rule allows {subject} for this role.',
    noSubject: 'The call names nothing that could be checked.',
    unsure: 'The effect of this call is not certain: {reasons}.',
    grantChat: 'Allowed by {name} on {date} ({surface}): in this chat `{scope}`, until {until}',
    grantAlways: 'Allowed by {name} on {date} ({surface}): always `{scope}`, until {until}',
    default: 'Allowed by default.',
    locked: 'The preset "locked" denies {subject}: no rule or grant allows it.',
    askByDefault: 'No rule or grant allows {subjects}.',
    tooMany: 'Not asked: {limit} approvals already wait.',
  },
  unsure: {
    'no-bash': 'bash is not available',
    'too-long': 'the command is too long',
    'too-many-brackets': 'the command has too many "{detail}"',
    'invisible-characters': 'the command has invisible characters',
    syntax: 'the command cannot be parsed',
    program: 'the program is not written literally',
    assignment: 'it sets a variable ({detail})',
    'nested-shell': 'it starts another shell',
    'shell-state': 'it changes the shell ({detail})',
    function: 'it defines a function ({detail})',
    expansion: 'an expansion can run or set something ({detail})',
    redirection: 'the target of a redirection is not known ({detail})',
    'relative-after-cd': 'a relative path after cd ({detail})',
    'hard-link': 'the file has a second name ({detail})',
    path: 'the path cannot be followed ({detail})',
    'rule-word': 'a word that a rule names is not written literally ({detail})',
    'part-of-folder': 'a rule covers a part of the folder ({detail})',
  },
  shown: {
    folder: 'Folder',
    network: 'Network',
    noNetwork: 'none',
    sandbox: 'Sandbox',
    sandboxOn: 'on',
    sandboxOff: 'off: the command has all rights of the server',
    timeLimit: 'Time limit',
    seconds: '{n} s',
    script: 'Script',
    realPath: 'Leads to',
    fails: 'Cannot be done now',
    action: 'Action',
    message: 'Message',
    replyTo: 'Reply to',
    media: 'Media',
    silent: 'Silent',
    yes: 'yes',
    differs: 'Shown differently',
  },
  explain: {
    subjects: 'Subjects',
    rules: 'Rules and grants',
    decision: 'Decision',
    none: 'none',
    line: 'line {line}',
    allow: 'allow',
    ask: 'ask',
    deny: 'deny',
    once: 'once or deny only',
  },
}

const zh: AuthorityWords = {
  title: {
    run: '允许 {agent} 运行这条命令吗？',
    write: '允许 {agent} 修改 {path} 吗？',
    message: '允许 {agent} 向 {target} 发送这条消息吗？',
    tool: '允许 {agent} 使用 {tool}（{server}）吗？',
    batch: '{agent} 有 {n} 项操作需要批准',
  },
  facts: '发起人：{name}（{role}，{surface}）。原因：{why}。',
  roles: { owner: '所有者', operator: '管理员', member: '成员', guest: '访客', group: '群成员', peer: '外部代理' },
  actions: { once: '允许一次', chat: '在此对话中允许', always: '始终允许…', deny: '拒绝', denyWithNote: '拒绝并说明' },
  status: {
    requester: '正在等待 {name} 批准。',
    refused: '此事只能由 {name} 决定。',
    late: '{name} 已作出决定：{decision}。',
    stopped: '本轮已停止，无需再决定。',
    changed: '{tool} 已变更，请重新决定。',
    keys: '已有 {k}/{n} 人批准：{names}',
  },
  because: {
    noGate: '这个工具没有声明权限检查。',
    invalidInput: '输入不符合该工具的要求。',
    hidden: '{subject} 已隐藏：它属于 Parley，或可能含有机密。',
    fixed: '{subject} 不可写入：Parley 或 git 会从中加载代码。',
    ruleAllow: '规则“{rule}”允许 {subject}。',
    ruleAsk: '规则“{rule}”要求批准 {subject}。',
    ruleDeny: '规则“{rule}”禁止 {subject}。',
    never: '没有规则允许此角色执行 {subject}。',
    noSubject: '这次调用没有可供检查的内容。',
    unsure: '无法确定这次调用的效果：{reasons}。',
    grantChat: '{name} 于 {date}（{surface}）允许：在此对话中 `{scope}`，有效期至 {until}',
    grantAlways: '{name} 于 {date}（{surface}）允许：始终 `{scope}`，有效期至 {until}',
    default: '默认允许。',
    locked: '预设“locked”禁止 {subject}：没有规则或授权允许它。',
    askByDefault: '没有规则或授权允许 {subjects}。',
    tooMany: '未提交审批：已有 {limit} 项在等待。',
  },
  unsure: {
    'no-bash': '没有可用的 bash',
    'too-long': '命令过长',
    'too-many-brackets': '命令中的“{detail}”过多',
    'invisible-characters': '命令含有不可见字符',
    syntax: '命令无法解析',
    program: '程序名不是字面值',
    assignment: '它设置了变量（{detail}）',
    'nested-shell': '它会启动另一个 shell',
    'shell-state': '它会改变 shell 的状态（{detail}）',
    function: '它定义了函数（{detail}）',
    expansion: '其中的展开可能执行或设置内容（{detail}）',
    redirection: '重定向目标未知（{detail}）',
    'relative-after-cd': 'cd 之后使用了相对路径（{detail}）',
    'hard-link': '该文件还有另一个名称（{detail}）',
    path: '无法解析该路径（{detail}）',
    'rule-word': '规则所指的词不是字面值（{detail}）',
    'part-of-folder': '有规则涉及该文件夹的一部分（{detail}）',
  },
  shown: {
    folder: '文件夹',
    network: '网络',
    noNetwork: '无',
    sandbox: '沙箱',
    sandboxOn: '已启用',
    sandboxOff: '已关闭：命令拥有服务器的全部权限',
    timeLimit: '时限',
    seconds: '{n} 秒',
    script: '脚本',
    realPath: '实际路径',
    fails: '目前无法执行',
    action: '操作',
    message: '消息',
    replyTo: '回复',
    media: '媒体',
    silent: '静音',
    yes: '是',
    differs: '显示有差异',
  },
  explain: {
    subjects: '对象',
    rules: '规则与授权',
    decision: '决定',
    none: '无',
    line: '第 {line} 行',
    allow: '允许',
    ask: '询问',
    deny: '拒绝',
    once: '只能允许一次或拒绝',
  },
}

export const words: Readonly<Record<Language, AuthorityWords>> = { en, zh }

/** Fills `{name}`; a missing value leaves nothing behind, not even empty brackets. */
export function fill(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
  // In Chinese the brackets stand for the space beside a name.
  return filled.replace(/ ?\(\)/g, '').replace(/（）/g, ' ')
}
