/**
 * Terms of the machine that a person never reads. A term the person used first is theirs ("my sales pipeline"),
 * and so is one that stands beside a word of ordinary life ("warehouse workers").
 */
type Term = { name: string; pattern: RegExp; unless?: RegExp }

const people =
  /\b(?:social|care|health ?care|warehouse|factory|office|shift|remote|field|farm|construction|temp(?:orary)?|key|essential|young|our|your|migrant|gig|hospital|support|co)[- ]workers?\b|\bworkers?(?:['’]s?)? (?:comp(?:ensation)?|union|council|rights|schedules?|shifts?|wages)\b/gi
const business =
  /\b(?:sales|deals?|leads?|hiring|recruit(?:ing|ment)|talent|customer|revenue|oil|gas|water|product|content|job|your)[- ]pipelines?\b/gi
const drawings = /\b(?:your|house|building|floor|kitchen|architect(?:['’]?s|ural)?|garden|cyanotype) blueprints?\b/gi
const sideways = /\bparallel (?:bars?|parking|park|lines?|universe|text|texts|import|imports)\b/gi
const fish = /\bspawn(?:ing)? (?:season|ground|grounds|run|fish|salmon)\b|\b(?:salmon|fish|trout)s? spawn(?:ing)?\b/gi

const english: Term[] = [
  { name: 'worker', pattern: /\bworkers?\b/gi, unless: people },
  { name: 'spawn', pattern: /\bspawn(?:s|ed|ing)?\b/gi, unless: fish },
  { name: 'pipeline', pattern: /\bpipelines?\b/gi, unless: business },
  { name: 'blueprint', pattern: /\bblueprints?\b/gi, unless: drawings },
  { name: 'parallel', pattern: /\bin parallel\b|\bparallel(?:ly|i[sz]ed?|i[sz]ing|i[sz]ation)?\b/gi, unless: sideways },
  { name: 'sub-agent', pattern: /\bsub[- ]?agents?\b|\bchild agents?\b|\bside dialogs?\b/gi },
  { name: 'process', pattern: /\bsub-?process(?:es)?\b|\b(?:child|background|worker|daemon) process(?:es)?\b/gi },
  { name: 'thread', pattern: /\bthread ?pools?\b|\b(?:worker|background) threads?\b|\bmultithread(?:ed|ing)\b/gi },
  { name: 'orchestrate', pattern: /\borchestrat(?:e|es|ed|ing|ion|or|ors)\b/gi },
  { name: 'dispatch', pattern: /\b(?:dispatch|fan)(?:ed|es|ing|ning)? (?:out )?(?:the |some |several |\d+ )?(?:tasks?|jobs?|agents?)\b/gi },
  { name: 'output of a program', pattern: /\b(?:std(?:out|err|in)|exit code|stack ?trace|traceback|segfault)\b/gi },
  {
    name: 'wire format',
    pattern: /\bjson[- ]?lines?\b|\b(?:json|event|message) payloads?\b|\bpayload\b|\bevent (?:type|envelope|stream)s?\b/gi,
  },
  {
    name: 'names of the protocol',
    pattern: /\b(?:step|question|session|build)_ids?\b|\bbuild_record\b|\bTIDY_[A-Z_]+\b|\b(?:USER_ANSWERS?|BUILD_REQUEST)\b/g,
  },
  {
    name: 'names of events',
    pattern:
      /\b(?:session|progress|status|phase|questions?|assistant)\.(?:step\.|message\.)?(?:started|completed|failed|changed|requested|created)\b/gi,
  },
  {
    name: 'the prompt',
    pattern:
      /\b(?:system|hidden) prompts?\b|\bcontext window\b|\btool[- ]calls?\b|\btoken (?:limit|budget)s?\b|\blarge language model\b|\bLLMs?\b/gi,
  },
  { name: 'transport', pattern: /\btransport (?:header|metadata)s?\b|\bmetadata headers?\b|\bheaders? (?:above|from Tidy)\b/gi },
  {
    name: 'X done, now doing Y',
    pattern:
      /\b(?:done|finished|completed?|ready)\b[^.!?]{0,30}?[,;:–—-]\s*(?:(?:and|so)\s+)?(?:now|next)\b|\b(?:done|finished|completed)\b[^.!?]{0,40}\.\s*(?:now|next),?\s+(?:i(?:['’]m| am)\s+)?\w+ing\b|\bmoving on to (?:the )?(?:next )?(?:step|phase|stage)\b/gi,
  },
]

const chinese: Term[] = [
  { name: '工作进程', pattern: /工作进程|子进程|后台进程|守护进程|工作线程|线程池|多线程|协程/g },
  { name: '子代理', pattern: /子代理|子智能体|子任务代理|工作者节点/g },
  { name: '派生', pattern: /派生(?:出)?(?:了)?|衍生进程|启动(?:了)?(?:\d+|[一二两三四五六七八九十几多]+)?个?(?:进程|线程|工作器|执行器)/g },
  { name: '流水线', pattern: /流水线|处理管道|数据管道|管线/g, unless: /(?:工厂|装配|生产|您的|销售)流水线/g },
  { name: '蓝图', pattern: /蓝图/g, unless: /(?:您的|建筑|房屋|人生|发展)蓝图/g },
  { name: '并行', pattern: /并行|并发/g, unless: /并发症/g },
  { name: '编排', pattern: /编排(?:器|层|引擎|任务)?|调度器|任务队列/g, unless: /编排(?:舞蹈|节目|版面|菜单)|(?:舞蹈|节目)编排/g },
  { name: '程序输出', pattern: /标准输出|标准错误|退出码|堆栈|系统提示词|上下文窗口|工具调用|大语言模型|事件流|载荷|传输头|元数据头/g },
  { name: '甲完成，现在做乙', pattern: /(?:完成|就绪|好)了?[，,；;。]\s*(?:现在|接下来|下面|接着)(?:正在|开始|进行|去|我|要|做|将)/g },
]

export type Inner = { name: string; found: string }

/** The inner workings this text gives away. `own` are the person's words, whose terms are theirs. */
export function innerWorkings(text: string, own = ''): Inner[] {
  const theirs = own.toLowerCase()
  return [...english, ...chinese].flatMap(({ name, pattern, unless }) => {
    const plain = unless ? text.replace(unless, ' ') : text
    // A term that comes a thousand times is looked up once.
    const found = new Set([...plain.matchAll(pattern)].map(([match]) => match))
    const first = [...found].find((match) => !isTheirs(match, theirs))
    return first === undefined ? [] : [{ name, found: first }]
  })
}

/** The person said it too, in whatever ending. */
function isTheirs(match: string, theirs: string): boolean {
  if (theirs === '' || /[.,;，。；]/.test(match)) return false
  const stem = match.toLowerCase().replace(/(?:s|es|ed|ing)$/, '')
  return stem.length > 1 && theirs.includes(stem)
}
