import { buildLimits } from '../build-limits.ts'
import { looseMachinery, strictMachinery } from './machinery.ts'
import { isElsewhere, isLabelAndState, isOwnWork, isOwnWorkPair } from './own-work.ts'
import { isHandover, isRule, tellsWhen, withoutFavour } from './transitions.ts'

/**
 * Sentences about how the work is done, judged by their shape: machinery that something happens to, or one part of the
 * work that is over and another one that begins. A sentence that speaks to the person, and words the person used first,
 * pass: "Your workers can sign in", "Now you can share the link".
 */
export type Inner = { name: string; found: string }

/** Mentions of the thing that is built do not address the person. */
const ownThings =
  /\b(?:your|our) (?:new )?(?:agents?|builds?|requests?|profile|results?|answers?|input|documents?|texts?|files?|data|config(?:uration)?|ideas?|brief|descriptions?)\b(?:['’]s)?|您的(?:新)?(?:代理|构建|请求|配置|结果|回答|文档|文本|文件|数据|想法|需求|描述)/gi
const isAddressed = (sentence: string): boolean => /\b(?:you|your|yours)\b|您|你/i.test(withoutFavour(sentence).replace(ownThings, ' '))

/** Nothing in ordinary life has these names. */
const certain =
  /\bsub-?agents?\b|\bsub-?models?\b|\bsub-?tasks?\b|\b(?:child|sub|background|worker|daemon|crawler|helper)[- ]?(?:agents|process(?:es)?|threads?|tasks?|jobs?)\b|\bside dialogs?\b|\borchestrat(?:e|es|ed|ing|ion|or|ors)\b|\b(?:thread|worker|process|connection) ?pools?\b|\bmulti-?thread(?:ed|ing)?\b|\b(?:parallel|separate) threads?\b|\bstd(?:out|err|in)\b|\bexit code\b|\bstack ?trace\b|\btraceback\b|\bsegfault\b|\bjson[- ]lines\b|\bpayloads?\b|\bevent (?:loop|stream|type|envelope)s?\b|\bcontext (?:window|limit|length)\b|\bmy context\b|\b(?:system|hidden) prompts?\b|\bprompt templates?\b|\btool[- ]calls?\b|\bthe tool \w+_\w+|\b(?:call|invok|execut)(?:e|es|ed|ing) [^.,;:]{0,40}\b(?:tool|function|endpoint)s?\b|\bLLMs?\b|\b(?:large )?language models?\b|\bembeddings?\b|\bvector (?:store|index|database)\b|\bstored the vectors\b|\btransport (?:header|metadata)s?\b|\bmetadata headers?\b|\bexponential backoff\b|\bAPI calls?\b|\bunit tests?\b|\bYAML\b|\bmalformed JSON\b|\b\d[\d,.]{0,12} ?k? tokens\b|\btoken (?:limit|budget)s?\b|\bsave tokens\b|\btokeni[sz](?:e|ed|ing)\b|\bseriali[sz](?:e|ed|ing)\b|\bjob runner\b|\bagent graph\b|\bmanifest\b|\bparalleli[sz](?:e|ed|ing|ation)\b|子代理|子智能体|子模型|子任务|工作(?:进程|线程|池|者节点)|(?:子|后台|守护|爬虫|帮手|辅助)(?:进程|线程)|后台任务|线程池|多(?:个)?线程|协程|编排器|调度器|执行器|任务队列|标准(?:输出|错误)|退出码|堆栈|段错误|核心已转储|系统提示词|提示词(?:模板)?|上下文(?:窗口|限制|长度)|压缩(?:了)?(?:上下文|历史)|工具(?:调用|返回)|调用(?:了)?(?:[^，。；]{0,12}(?:工具|函数|接口)|\s?\w+_)|函数返回|大(?:语言)?模型|事件(?:流|循环)|载荷|传输头|元数据头|向量(?:库|索引)|指数退避|API ?调用|沙箱|容器(?:镜像)?|集群|序列化|缓存(?:未命中|命中|已失效)|单元测试|YAML|\d{1,12} ?个? ?token|节省 ?token|代理(?:图|清单)|对文本分词|生成(?:所有|了)?(?:研究)?工作者|切块|空指针|数据库|构建器/gi

/** Together with an activity of machines, or with each other, they are machinery. */
const things =
  /\bworkers?\b|\bpipelines?\b|\bblueprints?\b|\bthreads?\b|\bprocess(?:es)?\b|\bcontainers?\b|\bsandbox\b|\bclusters?\b|\bschedulers?\b|\bjobs?\b|\btasks?\b(?! (?:list|board)s?\b)|\bqueue\b|\bcaches?\b|\bvectors?\b|\bindex\b|\btokens\b|\bprompts?\b|\bmodel\b|\bconfig\b|\bJSON\b|\bbranches\b|\bnodes?\b|\bstate\b|\bdisk\b|\bdatabase\b|\bcrawlers?\b|\bhelpers?\b|\bscripts?\b|\bbuilder\b|\bplanner\b|\brequests?\b|\boutputs?\b|\bfunctions?\b|\block\b|\bsearches\b|\bchild agents?\b|工作者|流水线|管道|管线|蓝图|进程|线程|作业|任务|队列|缓存|分支|节点|爬虫|请求|输出|规划器|模型/gi
const activities =
  /\bspawn(?:s|ed|ing)?\b|\blaunch(?:ed|ing)\b|\bsp[iu]n(?:ning)? up\b|\bkick(?:s|ed|ing)? off\b|\bfan(?:ned|ning) out\b|\bdispatch(?:ed|ing)\b|\b(?:en)?queu(?:ed|e?ing)\b|\bmerg(?:e|ed|ing)\b|\bre-?start(?:ed|ing)\b|\bretry(?:ing)?\b|\bdeploy(?:ed|ing)\b|\bcompil(?:ed|ing)\b|\bexecut(?:ed|ing)\b|\binvok(?:ed|ing)\b|\bemit(?:ted|ting)\b|\bchunk(?:ed|ing)\b|\bcompact(?:ed|ing)\b|\brebuilt\b|\bboot(?:ed|ing)\b|\bwarm\b|\binvalidated\b|\brunning\b|\bruns? in\b|\bwill run\b|\bthe \w+ run\b|\btimed out\b|\bkilled\b|\breturn(?:ed)?\b|\breported back\b|\bpicked up\b|\bpicked a plan\b|\bassigned\b|\bhanded\b|\bgenerated\b|\bpassed to\b|\bset up\b|\bempty\b|\bcollects\b|\bwrit(?:ing|e) state\b|\bwrote the\b|\btoo long for\b|\bwaiting (?:for|on)\b|\b(?:has|have) reached\b|\b(?:has|have) entered\b|\bstage \d\b|\bstarting\b|\bsending\b|\b(?:is|are) (?:done|ready|up|live)\b|启动|重启|派生|分发|分配|合并|执行|运行|还在跑|排队|超时|领取|已返回|返回了|交给|收到(?!了?(?:通知|提醒|短信|消息|邮件|提示|一[条封]))|搭好|已连接|准备就绪|开始了|用了|已批准|已生成|写好|预热|阶段通过|已空|重试|等待|在等|排在|排到|到达|汇合|写成|传给/gi

const together =
  /\bin parallel\b|\bconcurrently\b|\bparallel (?:set-?up|searches|requests|tasks|runs?)\b|\bspawn(?:s|ed|ing)? (?:a|an|the|all|two|three|four|five|several|\d+|helpers?|workers?|researchers?)\b|\bthe (?:event|message) stream\b|\bprofile set-?up\b|并行|并发(?!症)|派生|(?:设计|写好?|生成|合并|收到)(?:了)?蓝图|蓝图(?:已|的生成)|编排任务/gi

/**
 * A part of the machinery, known by how its name is made: a maker of the work ("the planner", 规划器) or an agent, model or
 * program named by the work it does ("testing agent", 测试代理), one of several or with a number. Such names are also common
 * in what is built, so that work has to pass between them in this very build.
 */
const workName = String.raw`(?:\w{3,20}(?:ing|er|or|ion)|dedicated|speciali[sz]ed|separate|second|another) (?:agents?|models?|bots?|process(?:es)?|threads?|modules?|instances?)`
const passesWork = new RegExp(
  [
    // The agent hands its work to a maker, or a maker takes it.
    String.raw`(?:\b(?:i|we)(?:['’]ve| have|['’]m| am|['’]ll| will)?(?: just| now){0,2} |^\W{0,3}(?:now )?|\band )(?:hand|pass|delegat|assign)(?:e|ed|s|ing)?\b[^.;]{0,60}\b(?:to|from) (?:the|my|an?|its) (?:\w{3,20}(?:er|or)|${workName})\b`,
    String.raw`\b${workName} (?:now )?(?:takes?|taking|took|picks?|picked) (?:it |this )?(?:over|up)\b`,
    String.raw`\b${workName} (?:is|are|was|has|have|just) (?:now |still |just |currently ){0,2}(?:waiting|picking|taking|working|busy|reading|reviewing|checking|handed|passed|picked|taken|reported|returned|come back|finished)\b`,
    String.raw`\b(?:handed|handing|passed|passing) (?:[\w ]{1,30} )?(?:over |off )?(?:to|from) (?:the|my|an?) ${workName}\b`,
    String.raw`(?:移交给?|转交给?|交由|传给了?|委派给|委托给|交给)[^，。；]{0,8}(?:器|代理|模型|线程|进程|智能体)(?:了|。|，|$)`,
    String.raw`由[^，。]{0,12}(?:器|代理|模型|线程|进程|智能体)(?:来)?(?:接手|接管)`,
    String.raw`[\u4e00-\u9fff]{2}(?:代理|模型|线程|进程|智能体)(?:正在?|还在|在)等`,
  ].join('|'),
  'gi',
)

/** Agents that are started, several at a time or by number: nothing that a person asked for. */
const launches =
  /\b(?:launch|start|spin|spun|fir|bring|brought|boot|fork|spawn|creat)(?:e|es|ed|ing|ning)?(?: up)? (?:[\w-]{1,20} ){0,4}(?:agents|processes|threads|bots|instances|researchers|runners|copies of (?:me|myself))\b|\b\w{3,20}(?:er|or|nt|ot) #\d{1,3}\b|\bfan(?:s|ned|ning)? (?:\w{1,12} ){0,3}out (?:across|over|to)\b|(?:启动|拉起|派出?|唤起|调起|放出|召集|开启|起)了?[^，。；]{0,6}个[^，。；]{0,8}(?:代理|助手|机器人|实例|进程|线程)|(?:研究|测试|规划|设计|编写|检查)[员者]\s?\d{1,3}\s?号/gi

/** A step of the agent's own plan, with nothing over and nothing begun: "before the next stage", "from research to design". */
const ownStages =
  /^\W{0,3}(?:i['’]?m |i am |now ){0,2}(?:go|transition|switch|mov|shift|progress|cross|pass)\w{0,3}ing (?:over )?from [\w ]{2,24} (?:in)?to [\w ]{2,24}\W{0,3}$|^\W{0,3}(?:next up|up next|next in line)\b|\b(?:before|after|for|in|during|to) the (?:next|following|previous) (?:stage|phase)\b|\b(?:the|its|my) \w{3,20} (?:stage|phase)(?: of (?:the|my) (?:workflow|work|process|plan|run))?\W{0,3}$|\bof (?:the|my) workflow\b|(?:进入|转入|转到)下一个?(?:阶段|环节|步骤?)|(?:正在|现在|已经?)(?:开始|进入|启动|到达|处于)[^，。]{0,8}(?:阶段|环节)|^(?:正在|现在|我)?(?:正在)?从[^，。]{1,8}(?:过渡|切换|转|进|移步|推进)(?:到|入|至|向)|工作流/i

/** The parts of every build, by the names agents give them. */
const parts =
  /\b(?:research(?:ing)?|design(?:ing)?|pars(?:e|ing)|plan(?:ning)?|assembl(?:y|e|ing)|test(?:s|ing)?|validat(?:e|ion|ing)|finali[sz](?:e|ing|ation)|gathering|build(?:ing)?|set-?up|collecting|checks|merging|(?:step|phase|stage) \d+(?:\/\d+| of \d+)?)\b/i
const isOver =
  /\b(?:done|finish(?:ed|ing)|completed?|over|through|ready|concluded|green|successfully)\b|[✓✔✅]|\bdone with\b|\bwrapping up\b/iu
const continues =
  /\b(?:now|next|then|on to|moving|move on|proceed(?:ing|s)?|continu(?:e|ing)|going on|start(?:ing|s)?|begin(?:s|ning)?|enter(?:ing|s)|switching|go straight|in progress|running|wrap(?:ping)? up|assembling|designing|planning|building|testing)\b|⏳/i
const announces =
  /\b(?:moving|move|proceed(?:ing)?|switch(?:ing)?|entering|continuing|going) (?:on )?(?:to|into|with)? ?(?:the )?(?:next|\w+) (?:step|phase|stage)\b|^\W*now (?:i['’]?m |i am |i['’]ll (?:be )?|i will )?(?:design|research|pars|plann|assembl|validat|finali[sz]|gather|build|spawn|start|runn|creat)ing\b|^(?:step|phase|stage) \d+(?: of \d+|\/\d+)? (?:is )?(?:complete|done|finished)|^starting the \w+ (?:phase|stage)\b|[✅✓] ?\w+ ?→/iu

const chinesePart = /研究|设计|解析|规划|计划|组装|测试|验证|收尾|收集|构建|第 ?[一二三四五六七\d]+(?:\/\d+)? ?(?:步|阶段)/
const chineseOver = /完成|完毕|结束|好了|完了|搞定|做完|就绪|都过了|[✓✔✅]/
const chineseContinues = /现在|接下来|接着|下一步|开始|进入|继续|马上|正在|进行中|轮到|然后|⏳/
const chineseAnnounces =
  /(?:正在进入|切换到|接下来进入|让我进入)[^。]{0,6}(?:阶段|步骤)|^现在正在(?:设计|研究|规划|组装|构建)|^第 ?[一二三四五六七\d]+(?:\/\d+)? ?(?:步|阶段)(?:已)?完成。?$|[✅✓] ?[^→]{1,6} ?→/u

/** By structure, not by the names of the parts: one clause says that something is over, another one that the agent goes on. */
const isOverAnywhere = /\b(?:done|finished|completed?|passed|wrapped up|concluded|out of the way)\b/i
const goesOn =
  /\b(?:moving|proceeding|continuing|switching|turning|heading|advancing) (?:on )?(?:to|into|with)\b|\b(?:now|next|then),? (?:i['’]?(?:m|ll)|i am|i will|let me)\b|\b(?:i['’]?(?:m|ll)|i am|i will|let me) (?:now|next|then)\b|(?:^|[,;:—] ?|\band |\bso )(?:on to|next up)\b|\b\w{1,30}ing (?:the \w{1,30} )?(?:comes|is up|is|follows) next\b/i
const chineseOverAnywhere = /完成|完毕|结束|通过|做完|写好|搞定/
const chineseGoesOn =
  /[，,；;。：:] ?(?:我|我们)?(?:现在|接着|接下来|下面|然后|随后|马上)?(?:开始|继续|接着|进入|转去|转入|轮到)(?!的|是|您|你)[^，。；]{2}/

/** The same in one clause that leads to the other, or as a heading: "Having …, I'm …", "With … done, I'll …", "Next up: …". */
const leadsOver =
  /^\W*having \w{1,30}[^.;]{0,80}, i(?:['’](?:m|ll)| am| will)\b|^\W*with [^.,;]{3,60} (?:done|finished|complete|in place|out of the way), i(?:['’](?:m|ll)| am| will)\b|^\W*next(?: up)?: |^下一步[：:]/i

/** A bare "received, going on": an answer to the transport, not to the person. */
const acknowledges =
  /^\W*(?:acknowledged|received|noted|understood|ok(?:ay)?)[,;.: ]+(?:continuing|proceeding|resuming)\b|^(?:已?收到|明白|好的)[，,。 ]*(?:正在)?继续(?:执行|处理|运行)/i

/** True where one part of the work is over and another one begins, in any order. */
function isTransition(sentence: string): boolean {
  if (isAddressed(sentence) || tellsWhen(sentence)) return false
  if (acknowledges.test(sentence) || leadsOver.test(sentence) || ownStages.test(sentence)) return true
  if (isOverAnywhere.test(sentence) && goesOn.test(sentence)) return true
  if (chineseOverAnywhere.test(sentence) && chineseGoesOn.test(sentence)) return true
  if (announces.test(sentence) || chineseAnnounces.test(sentence)) return true
  if (isElsewhere(sentence, 0.45)) return false
  // The work that is finished is no work that goes on: "finished building".
  const rest = sentence.replace(/\b(?:finished|done|completed) (?:with )?\w{3,20}ing\b/gi, 'finished')
  if (parts.test(sentence) && isOver.test(sentence) && continues.test(rest)) return true
  return chinesePart.test(sentence) && chineseOver.test(sentence) && chineseContinues.test(sentence)
}

function findOne(pattern: RegExp, sentence: string, theirs: string): string | undefined {
  // A term that comes a thousand times is looked up once.
  const theirTerms = new Set<string>()
  for (const [match] of sentence.matchAll(pattern)) {
    if (theirTerms.has(match)) continue
    if (theirTerms.size >= 100 || !isTheirs(match, theirs)) return match
    theirTerms.add(match)
  }
  return undefined
}

/** The inner workings this sentence gives away. `own` are the person's words, whose terms are theirs. */
export function innerWorkings(sentence: string, own = ''): Inner[] {
  const theirs = own.slice(-buildLimits.ownWordsChars).toLowerCase()
  if (isTransition(sentence) || isHandover(sentence) || isOwnWork(sentence))
    return [{ name: 'one part done, the next begins', found: sentence.trim().slice(0, 60) }]
  const sure = findOne(certain, sentence, theirs) ?? findOne(launches, sentence, theirs) ?? findOne(strictMachinery, sentence, theirs)
  if (sure !== undefined) return [{ name: 'inner workings', found: sure }]
  if (isAddressed(sentence)) return []
  const joint = findOne(together, sentence, theirs) ?? findOne(looseMachinery, sentence, theirs)
  if (joint !== undefined) return [{ name: 'inner workings', found: joint }]
  if (isRule(sentence)) return []
  const maker = findOne(passesWork, sentence, theirs)
  if (maker !== undefined) return [{ name: 'work passed on', found: maker }]
  const thing = findOne(things, sentence, theirs)
  if (thing === undefined) return []
  const activity = findOne(activities, sentence, theirs)
  return activity === undefined ? [] : [{ name: 'machinery at work', found: `${thing} … ${activity}` }]
}

/** Two sentences that only together tell that one part is over and the next begins: "Parsing is done. Now assembling." */
export function isTransitionPair(first: string, second: string): boolean {
  if (first.trim() === '') return false
  if (isLabelAndState(first, second) || isOwnWorkPair(first, second)) return true
  const isShort = first.trim().split(/\s+/).length <= 8 && first.length <= 60
  const ends = (parts.test(first) && isOver.test(first)) || (chinesePart.test(first) && chineseOver.test(first))
  const begins = (parts.test(second) && continues.test(second)) || (chinesePart.test(second) && chineseContinues.test(second))
  if (isShort && ends && begins && !isAddressed(first) && !isAddressed(second)) return true
  return isShort && second.length <= 60 && !isHandover(first) && !isHandover(second) && isHandover(first + second)
}

/** The person said it too, in whatever ending. */
function isTheirs(match: string, theirs: string): boolean {
  if (theirs === '') return false
  const stem = match.toLowerCase().replace(/(?:s|es|ed|ing)$/, '')
  return stem.length > 1 && theirs.includes(stem)
}
