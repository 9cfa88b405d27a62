import { countWords } from './process-vocabulary.ts'
import { isAboutPeople, splitClauses, tellsWhen, withoutFavour } from './transitions.ts'

/**
 * The agent tells of its own work: the parts of a build by their ordinary names, together with a word of beginning, running
 * or ending; a line of labels and states; or an action that the agent announces. A clause is judged by the kinds of words in
 * it, in any order. All lists are read word by word, so that the time is linear.
 */
const joinPatterns = (flags: string, ...sources: string[]): RegExp => new RegExp(sources.join('|'), flags)

/** Parts of a build that are hardly ever parts of what is built. */
const strictPart = String.raw`(?:research|design|parsing|analysis|planning|assembly|assembling|building|construction|implementation|coding|validation|validating|verification|verifying|testing|tests|checks|checking|QA|finali[sz](?:ation|ing)|packaging|wrap-?up|(?:tool|reference|source|material|resource)s? (?:gathering|collection|research)|gathering|collecting|drafting|scaffolding|wiring|integration|polishing)`
const loosePart = String.raw`(?:build|requests?|requirements?|brief|pars(?:e|ed)|analy[sz](?:e|ed|ing)|scoping|discovery|references?|sources?|resources?|materials?|tools?|toolkit|docs|documentation|collection|lookups?|plan|plans|outline|draft|designs|designing|architecture|blueprint|layout|structure|skeleton|sketch|assemble|pieces|components|modules|parts|bits|groundwork|code|check|review|final (?:touches|step|stretch|wrap-?up|checks?)|finishing touches|wrapping up|polish|deploy(?:ment|ing)?|publishing|delivery|hand-?(?:off|over)|set-?up|batch|reading|writing)`
const stepName = String.raw`(?:(?:step|phase|stage|milestone)s? (?:#|no\.? ?|number )?(?:\d{1,2}|one|two|three|four|five|six|seven)|(?:first|second|third|fourth|fifth|sixth|seventh|last|final|next|previous|\w{4,20}) (?:step|phase|stage|milestone)|[1-7] ?(?:\/|of|out of) ?7)`
const isPart = joinPatterns('i', String.raw`\b(?:${strictPart}|${loosePart}|${stepName})\b`)

const isEnd =
  /\b(?:done|finished|completed?|over|ready|wrapped|sorted|settled|passed|cleared|clear|closed|concluded|locked|nailed|in (?:place|hand|the (?:bag|can|books))|out of the way|behind (?:me|us)|under (?:my|our) belt|(?:ticked|checked|crossed) off|green|collected|gathered|assembled|drafted|mapped out|laid out|parsed|validated|verified|approved|finali[sz]ed|wraps? up|(?:got|have|has) (?:what|everything|all) (?:i|we) need(?:ed)?|all set|checks? out|looks? (?:good|solid|right)|went (?:through|well|fine)|is down|one down|came back|stands)\b|[✓✔✅☑👍]|100 ?%/iu
const isBegin =
  /\b(?:start(?:s|ed|ing)?|begin(?:s|ning)?|began|begun|commenc(?:e|es|ed|ing)|kick(?:s|ed|ing)? off|enter(?:s|ed|ing)?|mov(?:e|es|ed|ing) (?:on|to|into|ahead|forward|along|over|straight)|proceed(?:s|ed|ing)?|continu(?:e|es|ed|ing)|switch(?:ed|ing)|transition(?:ed|ing)?|turn(?:ed|ing)? (?:to|my|our)|head(?:ed|ing) (?:in|on|over|straight|to)\w{0,3}|div(?:e|ing)|jump(?:ing)?|onwards?|on ?to|under ?way|in (?:progress|motion)|ongoing|is (?:now )?(?:running|live|active|up)|follows|comes? next|up next|next (?:up|comes|is|on|for)|(?:is|are) next|time (?:to|for)|about to|going to|let['’]s|let me|here (?:goes|comes)|tackl(?:e|ing)|get(?:ting)? (?:on with|into|started|going|to work)|pick(?:ing)? up|launch(?:ed|ing)|resum(?:e|ed|ing)|roll(?:ing)? (?:on|into|over)|get(?:s|ting) (?:going|built|tested|assembled|checked|planned)|takes over|can (?:now )?(?:go|start|begin))\b|^\W{0,3}(?:now|next|then)\b|\b(?:now|next)\W{0,3}$|→|⏳|🚧|🔄/iu
const isOwn =
  /\b(?:i|we|me|us|my|our|let['’]s)\b|\b(?:i|we)['’]|^\W{0,3}(?:(?:ok(?:ay)?|great|now|next|then|so|finally|just|right) ){0,3}(?:(?!(?:every|any|some|no)thing)\w{2,20}ing|on to|onto|onwards?|over to|time (?:to|for)|about to|ready to|done|finished|wrapped|completed|got)\b/i
/** The product of a build may begin and go on too. */
const isProduct =
  /^\W{0,3}(?:then |now |and )?(?:(?:the|your|this|each|every|an?) (?:new )?(?:agent|bot|assistant|page|app|site|website|form|list|calendar|chat|game|quiz|course|shop|store|reminder|report|order|booking|event|class|season|sale|show|race|match|trip|tour|lesson|round|song|film|video|timer|clock|customer|guest)s?|it|they|these|those) (?!is (?:now )?time)\w/i
/** A day, an hour, a price or a share of a whole belongs to what is built. */
const isFact =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b(?:tomorrow|tonight|weekly|daily|monthly|year|month|week|weekday|weekend|morning|evening|noon|midnight|o['’]clock)s?\b|\b\d{1,2}(?::\d\d| ?[ap]\.?m\b)|[€$£¥]|\d{1,4}\s?[月日号点元岁周年]|[一二三四五六七八九十][月点]|周[一二三四五六日末]|星期|明天|今晚|下周|下个?月|早上|晚上|下午|上午|每|[一二三四五六七八九十百\d](?:项|个|条|处|份|张|页|道|家|位)[\u4e00-\u9fff]{0,4}[里中]有?[一二三四五六七八九十\d]|\b\d{1,6} (?:of|out of) (?:the |your |all )?(?!7\b)\d/i

const chinesePart =
  /需求|请求|解析|分析|调研|研究|资料|素材|参考|工具|收集|搜集|采集|规划|计划|方案|设计|蓝图|架构|大纲|草稿|组装|拼装|装配|搭建|构建|开发|编码|代码|零件|部件|组件|模块|各个?部分|所需内容|测试|验证|校验|核验|检查|自检|验收|收尾|打包|定稿|交付|部署|润色|前期工作|准备工作|第 ?[一二三四五六七1-7](?:个)?(?:步|阶段|环节|轮|批)|[1-7] ?\/ ?7|阶段|环节|工序|这一?[步块]|上一步/
const chineseEnd =
  /完成|完毕|完结|结束|搞定|就绪|就位|到位|收工|收官|敲定|妥当|告一段落|告终|落幕|句号|通过|没(?:有|发现|什么)?(?:问题|遗留|遗漏|异常|报错|错误|毛病|冲突)|理清|理顺|厘清|齐[了全备]|[\u4e00-\u9fff](?:好|完|齐|妥|清楚|明白)(?:了|啦|咯|,|，|。|$)|拿到|已[\u4e00-\u9fff]{2,4}$|[\u4e00-\u9fff]完(?!成|毕|全|整|善|美|备)|过关|达标|[✓✔✅☑👍]|(?:ok|OK)(?:了|啦)?/u
const chineseBegin =
  /开始|启动|着手|动手|进入|转入|转到|转向|转战|切换|切到|轮到|继续|接着|接下来|接下去|下面|下一[步个站项环]|马上|立马|即将|这就|正在|正式|进行中|展开|拉开|登场|走起|开[工干搞跑测]|推进|投入|上马|铺开|跟上|随即|紧接着|迈[入向]|步入|[\u4e00-\u9fff]ing|(?:^|我|就)该.{1,14}了|去.{1,10}了|正[切转进在]|⏳|→|🚧|🔄/u
const chineseOwn =
  /我|咱|^(?:好的?|那|就|现在?|正式?|这就|马上|立马|即将|接着|接下来|下面|随即|开始|继续|进入|转入|着手|动手|切换|轮到|该|去|下一步)/
const chineseProduct =
  /^(?:然后|再|就)?(?:(?:您|这个|这位|新)?的?(?:代理|机器人|助手|页面|系统|程序|它|他|她|表单|课程|活动|比赛|游戏|店铺|订单|报名|客服))(?:会|能|可以|将|就|便|在|自动|都|也)/

/** Bad news tells the person what they do not get. */
const isDenied =
  /\b(?:not|never|cannot|unable|failed|fails|nothing)\b|n['’]t\b|没能|未能|无法|不能|没有(?!问题|遗留|遗漏|异常|报错|错误|毛病|冲突)|(?<!还)没(?!有|问题|发现|毛病|报错|什么问题)|失败|不了/i

const isPartIn = (clause: string): boolean => isPart.test(clause) || chinesePart.test(clause)
const isOwnIn = (clause: string): boolean => isOwn.test(clause) || chineseOwn.test(clause)
const isProductIn = (clause: string): boolean => isProduct.test(clause) || chineseProduct.test(clause)

/** One clause with a part that is over, another one with a part, or the agent, that begins or goes on. */
function isPartAfterPart(clauses: readonly string[]): boolean {
  return clauses.some((ending, end) => isEnding(ending) && clauses.some((begun, begin) => begin !== end && follows(ending, begun)))
}
const isEnding = (clause: string): boolean => (isEnd.test(clause) || chineseEnd.test(clause)) && !isDenied.test(clause)
const isBeginning = (clause: string): boolean =>
  (isBegin.test(clause) || chineseBegin.test(clause)) && !isProductIn(clause) && !isDenied.test(clause)
function follows(ending: string, begun: string): boolean {
  if (!isBeginning(begun)) return false
  return isPartIn(begun) ? isPartIn(ending) || isOwnIn(ending) || isOwnIn(begun) : isPartIn(ending) && isOwnIn(begun)
}

const beginning = String.raw`(?:start(?:ing)?|begin(?:ning)?|commenc(?:e|ing)|kick(?:ing)? off|enter(?:ing)?|mov(?:e|ing) (?:on |ahead |forward |along |over |straight )?(?:to|into|with)|proceed(?:ing)? (?:to|with|into)|continu(?:e|ing) (?:on )?(?:to|with|into)|switch(?:ing)? (?:over |back )?(?:to|into)|transition(?:ing)? (?:over )?(?:to|into)|turn(?:ing)? (?:my attention )?to|head(?:ing)? (?:straight |right |over )?(?:into|to)|div(?:e|ing) (?:straight |right )?into|jump(?:ing)? (?:straight |right |over )?(?:into|to)|launch(?:ing)?|initiat(?:e|ing)|resum(?:e|ing)|tackl(?:e|ing)|get(?:ting)? (?:started |going |to work )?(?:on|into|with)?|begin work on|on ?to|onwards? to|time (?:for|to(?: start| begin| do| run)?)|next(?: up| comes| is|:)?|now(?: for|:)?)`
const toPart = String.raw`(?:\s(?:the|with|your|my|our|actual|full|final|next|of|on|agent['’]?s?|a|first|second|main|round){1,2}){0,4}\s(?:${strictPart}|${stepName})`
const toEnd = String.raw`(?: (?:phase|stage|step|part|work|mode|bit|process))?(?: (?:of|for|on) (?:the|your) (?:agent|build))?(?: (?:now|next|right away|in a (?:moment|minute|second|sec|bit)|shortly|soon|momentarily|straight away|immediately|then))?\W{0,6}$`
const startsPart = joinPatterns(
  'iu',
  // The agent, or no subject, with a part that begins and nothing else: "Starting assembly now", "I'll kick off validation shortly".
  String.raw`(?:\b(?:i|we)(?:['’]ll|['’]m|['’]re| will| am| are| can| want to|['’]d like to)?(?: now| next| then| just| about to| going to| ready to| be){0,3} |^\W{0,4}(?:(?:ok(?:ay)?|great|now|next|then|so|finally|right|alright|let me|let['’]s|about to|ready to|going to)\W{1,2}){0,3})${beginning}${toPart}${toEnd}`,
  // A part is the subject, its beginning or going on the predicate: "The validation phase is under way".
  String.raw`^\W{0,4}(?:(?:now|and|next|so|the|your|actual|real|agent['’]?s?) ){0,3}(?:${strictPart}|${stepName})(?: (?:phase|stage|step|part|work|process))?(?: (?:of|for) your (?:agent|build))?(?:['’]s| is| are| has| have| will| can| gets| get)?(?: now| just| already| still| currently| about to| be| been| being| officially){0,3} (?:under ?way|in progress|in motion|ongoing|begun|begin|begins|beginning|start|starts|started|starting|commencing|commences|kick(?:s|ed|ing)? off|up next|next|running|coming up|queued)(?: (?:now|next|shortly|soon))?\W{0,6}$`,
)
const chineseStartsPart = joinPatterns(
  'u',
  String.raw`(?:^|我|我们|现在|马上|这就|即将|立刻|立即|正在?|正式|准备|接下来|接着|下面|稍后|随后|随即|要|将|会)(?:开始|启动|进入|转入|转到|着手|动手|切换到|切到|开展|展开|执行|投入|推进|继续|步入|迈入|轮到|来到)(?:进行|做|跑|到|去)?[^，。；,;:：您你]{0,6}(?:解析|分析|调研|研究|规划|设计|组装|拼装|构建|搭建|测试|验证|校验|检查|收尾|打包|收集)(?:阶段|环节|步骤|工作|部分|模式|流程|这一步)?(?:您的代理)?(?:了|啦|中)?[。！!~…🔧🚀\s]*$`,
  String.raw`^(?:现在|目前)?(?:代理的?)?(?:解析|分析|调研|研究|规划|设计|组装|拼装|构建|搭建|测试|验证|校验|收尾|打包|收集|第 ?[一二三四五六七1-7] ?(?:步|阶段|环节))(?:阶段|环节|步骤|工作|部分|流程)?(?:现在|目前|已经?|正式|正在?|马上|即将|随即|也|就|要|将|会){0,3}(?:开始|启动|进行中|展开|开工|上马|拉开序幕|登场|走起|启程|继续)(?:了|啦|中)?[。！!~…\s]*$`,
)

/** A label and its state: "Parsing: complete", "Building? Under way.", 调研：进行中. */
const state = String.raw`(?:all )?(?:done|complete[d]?|finished|ready|ok|passed|in progress|ongoing|under ?way|running|started|starting|pending|queued|next|up next|wip|now|active|100 ?%)`
const chineseState = String.raw`(?:已经?|全部|刚刚?|正在?)?(?:完成|完毕|结束|搞定|就绪|通过|进行中?|开始|启动|待办|等待中?|排队中?|未开始|下一个|走起|开工)`
const label = String.raw`(?:(?:the )?(?:${strictPart}|${loosePart}|${stepName})(?: (?:phase|stage|step))?)`
const chineseLabel = String.raw`(?:解析|分析|调研|研究|规划|计划|设计|组装|拼装|构建|搭建|测试|验证|校验|收尾|打包|收集|理解需求|需求|方案|第 ?[一二三四五六七1-7] ?(?:步|阶段|环节)|[1-7] ?\/ ?7)(?:阶段|环节|步骤|工作)?`
const labelled = joinPatterns(
  'iu',
  String.raw`(?:^|[,;.|·•\n] ?)\W{0,3}${label} ?(?:[:=?]|→|->|–|—|-|\.\.\.|…) ?\W{0,3}${state}(?: now)?(?=\W{0,4}(?:$|[,;.|·•\n]))`,
  String.raw`(?:^|[，,；;。|·•\n] ?)[^\u4e00-\u9fff\w]{0,3}${chineseLabel} ?(?:[：:＝=?？]|→|->|–|—|-|…) ?[^\u4e00-\u9fff\w]{0,3}${chineseState}(?:了|啦|中)?`,
  String.raw`(?:${chineseLabel}|${label}) ?[✓✔✅☑]\ufe0f? ?(?:→|->|[,，;；|·]|\s)`,
  String.raw`(?<![\d/])[1-7] ?\/ ?7(?![\d/])[^。.]{0,12}(?:[✓✔✅☑⏳]|走起|完成|搞定|开始|进行|\b(?:done|complete|finished|next|started|starting|running)\b)`,
)
const bareLabel = joinPatterns('iu', String.raw`^\W{0,4}(?:and )?(?:${label}|${chineseLabel}) ?(?:${state}|${chineseState})?[?？:：]\s*$`)
const bareState = joinPatterns(
  'iu',
  String.raw`^\W{0,4}(?:yes|yep|just|是的?|not yet|还没有?|刚|(?:just |almost |nearly |刚刚?|快)?${state}|${chineseState})(?:了|啦|中)?\W{0,4}$`,
)

/** A step by its number, with a state and little else: "Step 4 is in the books", 第四步搞定. */
const numbered =
  /^\W{0,4}(?:that['’]s |and )?(?:step|phase|stage|milestone) (?:#|no\.? ?|number )?(?:\d|one|two|three|four|five|six|seven)(?: of (?:7|seven)|\/7)?(?:['’]s| is| are| has| now| been| just| all| officially){0,3} (?:done|complete|completed|finished|over|in the (?:books|bag|can)|wrapped(?: up)?|behind (?:me|us)|started|starting|begun|begins|under ?way|in progress|next|running|launched|kicks off)\b|^第 ?[一二三四五六七1-7] ?(?:个)?(?:步骤?|阶段|环节)(?:已经?|也|正式|刚刚?|全部|现在|正在?|马上|就)?(?:完成|搞定|结束|收工|收官|启动|开始|开工|走起|进行中)|^(?:解析|调研|研究|规划|组装|拼装|验证|校验|收集)(?:阶段|环节|工作)?(?:已经?|都|全部|刚刚?|终于){0,2}(?:完成|收工|结束|搞定|完毕)(?:了|啦)?[。！\s]*$|\b(?:i|we)(?:['’]m|['’]ve| am| have)(?: just| now| all| finally)? (?:done|finished|through|completed) (?:with )?(?:the |all )?(?:parsing|research|researching|planning|designing|analysis|analy[sz]ing|assembling|assembly|validation|validating|gathering|collecting)\W{0,4}$/i

const hurry = String.raw`(?:now|next|first|just|quickly|then|also|go ahead and|start by|begin by|briefly|carefully|double-?check(?: that)?)`
/** Something that the person gets, must do, or is told, which is no work of the agent's own. */
const toPerson = String.raw`(?:know|tell|explain|show|say|be|add that|ask|give|send|suggest|point out|remind|walk|have|see|need|wait|leave|recommend|share|clarify|confirm|apologi[sz]e|thank|mention|keep|hear|note|hope|think|want|understand|believe|guess|see|offer|propose|warn|list|sum|summari[sz]e|stop|pause)\b`
const announces = joinPatterns(
  'i',
  String.raw`(?:^|[.,;:!—–] ?|\b(?:and|so|now|ok|okay) )\W{0,3}let me (?:${hurry} ){0,3}(?!${toPerson})\w{2}`,
  String.raw`(?:^|[.,;:!—–] ?|\b(?:and|so) )\W{0,3}(?:now|next|first|from here|after that|afterwards|up next|moving on|from there),? (?:i|we)(?:['’]ll|['’]m| will| am| are|['’]re)(?: be| now| going to| about to| planning to){0,2} (?!${toPerson})\w{2}`,
  String.raw`(?:^|[.,;:!—–] ?)\W{0,3}(?:next|now|next up|after that),? (?:i|we) (?!(?:have|had|know|think|can|could|do|did|am|are|was|were|also|use|used|only|really|always|never|got|get|found|made)\b|${toPerson})[a-z]{3,20}\b`,
  String.raw`\b(?:i|we)(?:['’]m|['’]re| am| are)(?: now| just| also| right)? (?:about to|getting ready to|ready to|preparing to|fixing to|on my way to|gearing up to) (?!${toPerson})\w{2}`,
  String.raw`^\W{0,3}(?:now |just )?(?:about to|getting ready to|preparing to|gearing up to|ready to) (?!${toPerson})\w{2}`,
  String.raw`\b(?:i|we)(?:['’]ll|['’]m going to| will| am going to|['’]re going to| shall)(?: now| next| then| just| quickly| first){0,2} (?!${toPerson})\w{2,20}\b[^.;!?]{0,80} (?:next|in a (?:moment|minute|second|sec|bit)|right away|straight away|momentarily|shortly|right now|now)\W{0,4}$`,
  String.raw`\bmy next (?:action|step|move|task|job|item|call)\b`,
)
const chineseSoon = String.raw`(?:赶紧|赶快|抓紧|这就|马上|立刻|立即|立马|即将|正准备|正要|准备|打算|待会儿?|等会儿?|稍后|一会儿|接下来|接着|随后|先|继续|现在|下一步)`
const chineseToPerson = String.raw`(?:说|告诉|提醒|问|请|确认|解释|说明|介绍|总结|发给|需要|等|停|知道|想想|建议|推荐|按|根据|保留)`
const ownVerb = String.raw`(?:写入|编写|生成|编译|渲染|注入|加载|执行|运行|跑|调用|初始化|注册|安装|组装|拼装|搭建|构建|规划|设计|调研|研究|解析|测试|验证|校验|检查|打包|部署|收集|查询|检索|抓取|拉取|合并|重试|重发|重跑|截断|压缩|启动|接好|接入|配置|创建|梳理|整理|起草|进入|转入|切换|着手|开始|汇总|核对|拆分|分析|处理|优化|完善|收尾)`
const chineseAnnounces = joinPatterns(
  'u',
  String.raw`(?:^|[，,。；;：:！! ])(?:好的?|那|那么)?(?:现在|接下来|下面|先)?让我们?(?:来|先|再|去|现在|接着|继续|开始|把)*(?!知道|${chineseToPerson})[\u4e00-\u9fff]{2}`,
  String.raw`我们?(?:会|将|就)?${chineseSoon}(?:就|来|去|要|会|将|再|把|先|得|逐[个一步]){0,3}(?!${chineseToPerson})[^，。；]{0,12}${ownVerb}`,
  String.raw`(?:^|[，,。；;：:] ?)${chineseSoon}(?:我们?)?(?:就|来|去|要|会|将|再|把|先|得|逐[个一步]){1,3}(?!${chineseToPerson})[^，。；您你它]{0,10}${ownVerb}`,
  String.raw`我的?下一(?:个动作|步|项任务|件事)(?:是|就是|要|：)`,
  String.raw`^(?:那)?我(?:这就|就|先|马上)?(?:去|来)[^，。；您你]{1,8}(?:了|啦)?(?:哈|哦|咯|喽|~)?[。！~\s]*$`,
)

/** Beside words of an agent's work alone, these are enough. */
const isLooseEnd =
  /\b(?:has|have|['’]ve|been|is|are|was|['’]s|['’]re) (?:(?:now|all|just|finally|already|fully|been) ){0,2}(?:\w{2,20}(?:ed|en)|read|built|set|made|found|drawn|clear|understood|in|here|a wrap)\b|^\W{0,4}(?:\w{2,20} ){1,4}(?:\w{2,20}ed|understood|built|made|found|set)\W{0,4}$|\btakes care of\b|^\W{0,4}(?:\w{3,20}ed|built|got|read|found|wrote) |全绿|出炉|差不多|清楚|了$|过了|[\u4e00-\u9fff](?:下|下来|出来|妥)(?:了)?$/i
const isLooseBegin =
  /^\W{0,4}(?:(?:now|next|then|so|and|just) ){0,2}(?:(?!(?:every|any|some|no)thing)\w{2,20}ing|off)\b|\b(?:i|we)(?:['’]m|['’]re|['’]ll| am| are| will| can| go)\b|\b(?:gets? going|still ahead|to go|will follow|can be|going to|then|now|next)\b|正|准备|日程|现在|再|就|起来|我[^，。]{0,6}去|赶紧|赶快|由我/i
const isStage =
  /\b(?:phases?|stages?|milestones?|workflow|(?:step|task|item|job)s? (?:left|remaining|to go|\d|by step)|(?:next|current|previous|last|final|per|this|that|each) (?:step|task|item|job|stage)|(?:progress|status)(?: is|:| \d| update)|current (?:progress|status)|\d{1,3} ?%|mode:|\w{3,20}['’]s turn|next (?:stop|step|station|item):?\W{0,2}|[1-7] of 7|[1-7] ?\/ ?7)|阶段|环节|工序|进度|步骤|[一二三四五六七两1-7] ?步|下一站|流程|[→➜]|->/i
const isStrongBegin =
  /\b(?:proceed(?:ing)?|switch(?:ing)?|transition(?:ing)?|mov(?:e|ing) (?:right )?(?:on|ahead|forward|along|to|into)|kick(?:ing)? off|resum(?:e|ing)|enter(?:ing)?|continu(?:e|ing) (?:with|on|to|the|from)|up next|next up|comes? next|head(?:ing)? (?:in|on|over)|on ?to (?:the )?(?:next|\w{4,20}ing)|next:|about to|getting ready|first the \w{2,20}|before i (?:\w{4,20})|then (?:i|we)(?:['’]ll| will))\b|切换|转入|转到|进入|着手|轮到|接下来|接着|下一步|即将|继续|跟上|准备开始|开[搞干工]|接力棒|跑完我就|接手|先[^，。]{1,16}[，,]?再|[动跑搭做干]起来/i
const isMachine =
  /\b(?:process(?:es)?|threads?|queued?|task graph|disk|context|checkpoint|protocol|endpoints?|scraper|crawler|environment|allocat\w{1,4}|tokens?|prompts?|schema|handlers?|configs?|configuration|cache|backend|runtime|payload|JSON|repo(?:sitory)?|dependenc\w{1,3}|parser|planner|sub\w{3,8}|sandbox|container|quer(?:y|ies)|retry\w{0,3}|timeout|spawn\w{0,3}|restart\w{0,3}|execut\w{1,4}|initiali\w{1,5}|dedup\w{1,10}|re-?run\w{0,4}|logging|committ\w{2,3}|cached|fall(?:ing)? back|boot\w{0,3}|runner|structured)\b|去重|裁短|备用模型|线程|进程|队列|上下文|检查点|协议|接口|函数|变量|参数|提示词|缓存|磁盘|沙箱|容器|后端|依赖|仓库|轮次|[上下]一轮|节点|限流|超时|预热|重试|任务图/i
/** These are common in what is built too, so that the agent has to be the one who acts. */
const isOftenMachine =
  /\b(?:tasks?|jobs?|files?|events?|API|models?|scripts?|functions?|index|servers?|(?<!build )sessions?|instructions?|messages? per|loop|branch(?:es)?|templates?|skills?|plug-?ins?|modules?|calls?|allowed|assistant|graph|which tools|tools i can)\b|任务|作业|事件|脚本|模板|指令|模型|格式|目录|文件|环境|服务器|资源|插件|技能|(?<!构建)会话|图|一条消息|配置|工具可用|哪些工具/i
const isActing =
  /\b(?:i|we|my)\b|^\W{0,4}(?:(?:now|next|then|still|just) ){0,2}(?:(?!(?:every|any|some|no)thing)\w{2,20}ing|restarted|reloaded|loaded|saved|sent|called|split|queued)\b|我|^(?:正在?|先|把|已|在|等|根据|重新)|重新/i
const isAboutUser =
  /\b(?:the )?user (?:has |just |had )?(?:answered|selected|chose|picked|replied|confirmed|asked|said|provided|requested|wants)\b|用户(?:已经?|刚刚?)?(?:选择|选了|回答|确认|回复|要求|提供)了?/i
const isBareGoingOn =
  /^\W{0,4}(?:(?:ok(?:ay)?|great|so|now|then)\W{1,2}){0,2}(?:i|we)?(?:['’]ll|['’]m| will| am)?(?: now| next| just){0,2} ?(?:proceed|switch|mov(?:e|ing) on|carry(?:ing)? on)\w{0,4}\b/i
const isOfPerson =
  /\b(?:you|yours)\b|\byour (?!(?:new )?(?:agent|build|request|answers?|input|brief|requirements?|needs|idea|spec|plan|prompt)\b)|[您你](?!的(?:代理|构建|请求|需求|回答))|[?？]|请(?!求)|\bplease\b|\b(?:send|tell|give|show|ask) me\b|\blet me know\b|告诉我|发给我|给我/i

/** A sentence of nothing but words of an agent's work, with one of a change, a stage or a machine. */
function isProcessTalk(read: string): boolean {
  if (isOfPerson.test(read) || tellsWhen(read) || isDenied.test(read)) return false
  const clauses = splitClauses(read)
  const { process, outside } = countWords(read)
  if (outside > (process + outside) / 4 || isProductIn(clauses[0] ?? '') || isFact.test(read)) return false
  if (process > 0 && outside === 0 && (isStage.test(read) || isBareGoingOn.test(read))) return true
  if (process < 2) return false
  if (isStage.test(read) || isStrongBegin.test(read) || isMachine.test(read) || isAboutUser.test(read)) return true
  if (isOftenMachine.test(read) && isActing.test(read)) return true
  return clauses.some((ending, end) => isLooselyOver(ending) && clauses.some((begun, at) => at !== end && isLooselyBegun(begun)))
}
const isLooselyOver = (clause: string): boolean => isEnding(clause) || isLooseEnd.test(clause)
const isLooselyBegun = (clause: string): boolean => isBeginning(clause) || isLooseBegin.test(clause)

/** So many words of the world outside are about something else. */
export function isElsewhere(read: string, most: number): boolean {
  const { process, outside } = countWords(read)
  return outside > (process + outside) * most
}

/** Quoted words are those of the thing that is built. */
const readable = (text: string): string =>
  withoutFavour(text).replace(/“[^”“]{1,60}”|"[^"\n]{1,60}"|「[^」「]{1,60}」|‘[^’‘]{1,60}’/g, ' x ')

/** Whether this sentence tells of the agent's own work, and nothing that the person gets or does. */
export function isOwnWork(text: string): boolean {
  const read = readable(text.slice(0, 400))
  if (labelled.test(read) || isProcessTalk(read)) return true
  if (isAboutPeople.test(read) || tellsWhen(read) || isFact.test(read)) return false
  if (announces.test(read) || chineseAnnounces.test(read) || numbered.test(read.trim())) return true
  const clauses = splitClauses(read)
  if (clauses.some((clause) => startsPart.test(clause) || chineseStartsPart.test(clause))) return true
  return isPartAfterPart(clauses) && !isElsewhere(read, 0.45)
}

/** A label and its state in two sentences: "Planning? Done." */
export const isLabelAndState = (first: string, second: string): boolean => bareLabel.test(first) && bareState.test(second)

/** Two short sentences that only together tell of a part that is over and another one that begins. */
export function isOwnWorkPair(first: string, second: string): boolean {
  const both = readable(`${first} ${second}`)
  if (both.length > 160 || isAboutPeople.test(both) || tellsWhen(both) || isFact.test(both)) return false
  const [before, after] = [splitClauses(readable(first)), splitClauses(readable(second))]
  const isAfter = (one: string[], other: string[]): boolean =>
    one.some((ending) => isEnding(ending) && other.some((begun) => follows(ending, begun)))
  if (!isElsewhere(both, 0.45) && (isAfter(before, after) || isAfter(after, before))) return true
  return !isElsewhere(both, 0.2) && isAllProcess(both) && before.some(isLooselyOver) && after.some(isLooselyBegun)
}

const isAllProcess = (read: string): boolean => {
  const { process, outside } = countWords(read)
  return process > 2 || (process === 2 && outside === 0)
}

/** A remark that means nothing without the transition beside it: "Assembling!", "Parsed your request." */
const remark = joinPatterns(
  'iu',
  String.raw`^\W{0,4}(?:(?:ok(?:ay)?|great|perfect|nice|alright|now|so|all|good|right)\W{1,2}){0,3}(?:${strictPart}|${label}|${state}|onwards?|here (?:(?:we|i) go|goes)|away we go|\w{3,20}(?:ed|ing)(?: (?:the|your|all) (?:request|sources|tools|references|plan|pieces|parts))?|let['’]s go|great|perfect|ok(?:ay)?|alright|good|nice)\W{0,6}$`,
  String.raw`^[^\u4e00-\u9fff\w]{0,4}(?:${chineseLabel}|${chineseState}|好的?|走起|出发|冲|开工|继续)(?:了|啦|中|吧)?[^\u4e00-\u9fff\w]{0,6}$`,
)
export const isRemark = (sentence: string): boolean => remark.test(sentence.trim())
