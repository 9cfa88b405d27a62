/**
 * One part of the work is over and the agent begins another: a clause that says something is finished, and another one
 * that begins, without a subject or with the agent as its subject. The names of the parts do not matter. A sentence that
 * speaks to the person, asks, or tells what other people do is about the thing that is built.
 */
export const isAboutPeople =
  /\byou\b|\byours\b|\byour (?:turn|choice|call|move|go|answer|decision|say|ok(?:ay)?|approval)\b|\bplease\b|\b(?:they|their|he|she|his|her|who|everyone|anyone|someone|people|visitors?|guests?|customers?|users?|members?|players?|students?|teachers?|pupils?|child(?:ren)?|kids?|parents?|readers?|clients?|winners?|teams?|buyers?)\b(?! (?:page|list|table|form|view|area|section|screen|module|panel|part|profile|menu)s?\b)|[?？]|[您你](?!的)|[您你]的(?:选择|决定|意见|确认|回答|同意|答复)|请(?!求)|(?:客人|访客|顾客|客户|用户|会员|玩家|学生|老师|孩子|家长|读者|游客|同学|学员|买家)(?![\u4e00-\u9fff]{0,2}(?:页|表|卡|栏|区|图|单|册|列表|中心|界面|面板|模块|功能|部分))|大家|他们|她们|每个人|有人/i

/** A repeated event belongs to the thing that is built, unless the agent is in it. */
export const tellsWhen = (sentence: string): boolean => isConditional.test(sentence) && !isOfAgent.test(sentence)
const isConditional = /\b(?:when|whenever|if|(?<!at )once|until|as soon as|every time)\b|如果|每|一旦|的时候|时(?:[,，]|会|将|自动|就|才)/i
/** A rule of the thing that is built speaks of any one of its kind: "when a task is done", 每次任务完成. */
export const isRule = (sentence: string): boolean =>
  /\b(?:when|whenever|if|(?<!at )once|until|as soon as|every time|after) (?:an?|any|each|every|someone|somebody|no)\b|每|如果|一旦/i.test(
    sentence,
  ) && !isOfAgent.test(sentence)
const isOfAgent = /\b(?:i|we|let)\b|我/i

const clauseEnd =
  /[,;:!.…，；：！。—–]|\s-\s|\b(?:and|so|because|since|as|before|but|while)\b|(?=\b(?:now that|after)\b)|(?=因为|由于|既然|所以|因此)|(?<=之后|以后|完后)/i
const chineseLead = /^(?:因为|由于|既然|所以|因此|那么|于是|好的?)/

const over = [
  /\b(?:is|are|was|were|['’]s|['’]re|been|now|all|just|finally) (?:(?:now|all|just|finally|already|fully|both|safely) )?(?:done|finished|completed?|ready|over|sorted(?! by| in| alpha)|settled|wrapped(?: up)?|in place|green|passed|behind (?:us|me)|out of the way|through|ended|concluded|approved|nailed(?: down)?|finali[sz]ed|locked(?: in| down)?|taken care of|off (?:the|my) (?:list|table|plate)|in the (?:bag|can|books)|up and running|good to go|a wrap|ticked off|checked off|signed off|squared away|out of my hands)\b(?! (?:at|by|after|in|on|from|until|within)\b)/i,
  /\b(?:has|have|just|finally|['’]ve|successfully|all) (?:just |now |finally |already |all |been )?(?:done|finished|completed|ended|concluded|passed|wrapped up|succeeded|closed)\b/i,
  /\b(?:i|we)(?:['’]ve| have|['’]m| am| just)?(?: now| just| already| finally| also)? (?:finished|completed|wrapped up|done|through|concluded|finali[sz]ed|nailed|sorted|settled|drafted|closed|ticked off|checked off)\b/i,
  /^\W{0,3}(?:all )?(?:done|finished|completed|through|wrapped up|wrapping up|finishing|having \w{2,20}|after \w{2,20}ing|that (?:completes|concludes|wraps up|does it for|finishes)|that was the|all set with|so much for|enough of)\b/i,
  /\b(?:done|finished|completed?|sorted|settled|out of the way|behind (?:us|me)|in place|in the (?:bag|can)|wrapped up|passed|stands?|under (?:my|our) belt|off the list)\W{0,3}$/i,
  /^\W{0,3}(?:ready|done|complete|finished|set)\W{0,3}$|\b(?:wrapped|wrapped up)\W{0,3}$/i,
  /\bleav(?:e|ing) (?:the )?[\w ]{1,30}\b(?:step|phase|stage|part)\b|[✓✔✅☑]/iu,
]

/** Enough beside a clause in which the agent plainly begins. */
const overLoosely = [
  /\b(?:is|are|been|being|['’]s|['’]re|have|has|['’]ve) (?:(?:now|all|just|finally|already|fully|both) )?(?:\w{2,20}(?:ed|en)|laid|built|set|made|found|drawn|put|clear|understood|in|here|there|up|live|online|out)(?: up| out| in| down| together)?\W{0,3}$/i,
  /\b(?:i|we)(?:['’]ve| have) (?:now |just |already |all )?(?!begun|started|moved|not|never|no\b|to\b|the\b|an?\b|one\b|two\b|three\b|some\b|questions?\b)\w{3,20}\b|^\W{0,3}(?:now that|ready with|\w[\w ]{1,30} (?:reached|ready))\b/i,
  // A short result in the present ("all tests pass"), a participle without its verb ("sources collected"), or a past
  // without a subject ("collected all sources").
  /\b\w{2,20} (?:now )?(?:pass(?:es)?|works?|holds?|checks? out|looks? (?:good|fine|right)|(?:came|are|is) back|arrived|landed)\W{0,3}$/i,
  /^\W{0,3}(?:[\w’'-]{1,20} ){1,4}(?:\w{2,20}(?:ed|en)|built|drawn|made|found|chosen|set|laid out)\W{0,3}$/i,
  /^\W{0,3}(?:just |finally |already )?(?:\w{3,20}ed|built|drew|made|found|wrote|got) (?:up |out |with |through )?(?:all|the|your|every|each|both|everything|\d{1,4})\b/i,
]

const begins = [
  /^\W{0,3}(?:(?:now|then|next|straight|right|i['’]?m|i am|we['’]?re|we are) ){0,4}(?:moving|proceeding|continuing|switching|turning|heading|advancing|jumping|diving|shifting|going|getting|stepping|entering|starting|beginning|kicking)\b(?! (?:at|from)\b)/i,
  /^\W{0,3}(?:(?:now|then|next|straight|right) ){0,3}(?:i['’]?m on to|on with|on ?to|onwards?|off to|over to|next up|up next|next(?=\W{0,3}$)|now for|time (?:to|for)|it(?:['’]?s| is) (?:now )?time (?:to|for)|here comes|let['’]s(?! say)|let (?:us|me)(?! know| tell| explain| show)|(?:i|we) can (?:now )?(?:start|begin|move|turn|go|get|continue|proceed)|we (?:move|turn|go|start|begin|enter))\b/i,
  /\b(?:i|we)(?:['’]ll|['’]m|['’]re| will| am| are| can)?(?: be| going to){0,2}(?: now| next| then| straight){0,2} (?!(?:moved|turned|switched|shifted|headed) (?:the|an?|it|its|your|them|this|that|these|all)\b)(?:start|begin|mov|turn|proceed|continu|go(?:ing)? (?:on|ahead|straight)|jump|div|head|switch|shift|tackl|focus|get(?:ting)? (?:on|start|going|to work)|work(?:ing)? on|set about|kick)\w{0,6}\b/i,
  /\b(?:now|next),? (?:i|we)(?:['’]ll|['’]m|['’]re| will| am| are) \w|(?:^\W{0,3}|\b(?:i|we) )(?:am|are) (?:now|next) \w|\b(?:i|we)(?:['’]ll|['’]m|['’]re| will) (?:now|next)\b|\b(?:will|shall) (?:now|next) \w/i,
  /^\W{0,3}(?:now|next|then) \w{2,20}ing\b|^\W{0,3}\w{2,20}ing\b[\w ]{0,40}\b(?:now|next)\W{0,3}$|\b(?:is|are|comes?|follows?) (?:up )?next\W{0,3}$|^\W{0,3}now the \w{2,20}\W{0,3}$|\bnext (?:is|comes) (?:the )?\w{2,20}ing\b/i,
  /\b(?:step|phase|stage|part|(?:second|next|other|following) one|half|round|section|work|\w{3,20}ing)(?: \w{1,12})? (?:can )?(?:now )?(?:starts?|begins?|starting|beginning)(?: right)?(?: now)?\W{0,3}$|\b(?:entering|into) the [\w ]{1,30}\b(?:step|phase|stage)\b/i,
  // The agent has begun already, or the next part is the subject and its beginning the verb.
  /(?:\b(?:i|we)(?:['’]ve| have)|^\W{0,3}have) (?:now |just |already )?(?:begun|started|moved|turned|switched|gone) (?:on |over |to |with |in)?\w/i,
  /^\W{0,3}(?:now |and |then )?(?:the )?\w{3,20}ing(?: of [\w ]{1,30})?(?:['’]s| is| are| has| will| can| gets)(?: now| just| already| being| be| been){0,2} (?:under ?way|start(?:ed|ing)?|begun?|beginning|next|up next|in progress|kicked off)(?: now| next)?\W{0,3}$/i,
  /\b(?:is|are|comes?) what (?:follows|comes|happens|gets \w{2,20}|i (?:do|tackle|start|turn to))\b|\bit(?:['’]s| is) (?:now )?[\w ]{1,40}['’]s? turn\b|\b(?:gets?|takes?|has|have) (?:its|their) turn\b/i,
]

/** Work of the agent, which is a beginning only where something is plainly over. */
const worksOn = [
  /\b(?:i|we)(?:['’]ll|['’]m|['’]re| will| am| are) (?:writ|build|test|publish|deploy|design|plan|draft|review|assembl|cod|styl|packag|sketch)(?:e|n?ing|ting)?\b/i,
  /\b(?:now|next) comes? \w|^\W{0,3}next the \w{2,20}\W{0,3}$|\b(?:building|construction|work|production|\w{3,20}ing) (?:can|has|may) (?:now )?(?:start|begin|begun|started)\b/i,
  // A part named by a bare noun, which begins: "assembly begins", "validation will start now"; or a bare activity.
  /^\W{0,3}(?:now |then )?\w{4,20} (?:now |then |will |can |is |gets )?(?:now )?(?:begins?|starts?|beginning|starting|follows?|under ?way|in progress)(?: right)?(?: now| next| then)?\W{0,3}$|^\W{0,3}\w{4,20}ing\W{0,3}$/i,
]

const chineseOver = [
  /完成|完毕|结束|搞定|就绪|到位|收工|敲定|妥当|告一段落|到此为止|通过|过关|理清|理顺|离开|打好|定稿|收尾了|已定$|已经?有了|没(?:有)?问题|^(?:了解|明白|弄清楚?|理解|清楚)了|[\u4e00-\u9fff]完(?!成|毕|全|整|善|美|备)|[✓✔✅☑]/u,
  /(?:搭|做|写|画|弄|排|选|改|定|备|理|置|划|计|装|调|配|测|想|摆|建)(?:好|定|妥|清楚)|(?:定|齐|成|清)(?:了|啦)$/,
  // Any verb with its result, finished: 问清楚了, 集齐, 已保存, 都回来了.
  /[\u4e00-\u9fff](?:完|好|齐|妥|清楚|明白|出来|下来|过|通)(?:了|啦|咯|喽)|[\u4e00-\u9fff](?:完|好|齐|妥)$|已经?(?:被)?[\u4e00-\u9fff]{1,6}$|(?:都|全部|均)[\u4e00-\u9fff]{1,5}(?:了|啦|返回)$|[\u4e00-\u9fff]{2}(?<![错败慢久忘停少多缺])(?:了|啦)$/,
]
const chineseBegins = [
  /^(?:我们?|咱们|后面|现在|这就|就|马上|立刻|立即|接着|接下来|接下去|下面|随后|然后|再|正式|可以|终于|直接|来|让|要|将|会|去){0,6}(?:开始|继续|着手|动手|进入|转到|转入|转向|转去|轮到|启动|投入|开工|动工|开动|推进|来第|切换到|迈入|步入)(?!的|是|时|于|前|之前|日期)/,
  /^(?:我们?)?(?:现在|接下来)?(?:该|是时候).{1,16}了$/,
  /^(?:我们?)?(?:现在|这就|马上|立刻|立即|接着|接下来|接下去|下面|随后|正在|再来?|我来|就来|准备|最后|会直接|我会|去){1,3}(?:我们?)?(?:要|就|来|去|会|将|正在){0,3}(?:写|做|画|建|搭|排版|测试|测|检查|查|发布|部署|上线|设计|制作|编写|组装|开发|构建|审核|校对|润色|上色|配色|整理|收集|调研|规划|策划|打包|连接|填充|制定|处理|优化|美化|完善|调整|撰写|收尾|填|调|配|改|加工)/,
  /^(?:我们?)?下一(?:步|项|站)(?!就?(?:可以|只需|请)|把|将|分享|打开|点击|联系)/,
  /(?:阶段|步骤|环节|部分|工作|这一步)(?:正式|现在|马上|随即|立即|就|可以){0,3}(?:开始|启动|开工)了?$/,
  // The agent, or a clause without a subject, with a word for "now" and one for "going to": 现在我要…, 让我来…, 随即就….
  /^(?:那|那么)?(?:现在|这就|马上|立刻|立即|立马|随即|随后|接着|紧接着|接下来|接下去|下面|然后|此刻|眼下)?(?:我们?|咱们)(?:现在|这就|马上|立刻|立即|立马|随即|随后|接着|接下来|便|就)?(?:要|来|去|得|该|将|正在?)(?!说|告诉|提醒|问|确认)[\u4e00-\u9fff]{2}/,
  /^(?:现在|这就|马上|立刻|立即|立马|随即|随后|接着|紧接着|接下来|接下去|下面|然后|此刻|眼下)(?:要|来|去|就来|就去|就要|将|便|正在?|便?开始|弄|搞|忙|干|跑)[\u4e00-\u9fff]|^让(?:我们?|咱们)(?!知道|说明|解释|告诉)[\u4e00-\u9fff]{2}/,
  /^(?:我们?|咱们)?(?:现在|正在?|这就|马上|接着|然后|接下来|就|便|将|会|要)*(?:进到|走到|来到|转而|切(?:换)?(?:到|入|至)|换到|跳到|过渡到|移到|开启)/,
  /^(?:后面|接下来|下面|随后)?(?:的)?下一(?:个|样|块|批|件|页)(?:就?是|轮到|该|做)/,
  // The next part is the subject, and its beginning the verb: 测试正在进行, 第二批即将启动.
  /^(?:第[一二三四五六七八九十\d]{1,3}[\u4e00-\u9fff]|[\u4e00-\u9fff]{2,8})(?:现在|正式|马上|随即|立即|即将|正在|已经?|就|也|将|正|要){1,3}(?:被)?(?:开始|启动|进行|展开|开工)(?:中|了|啦)?$/,
  /^[^放拿走飞跑送带寄]{1,5}(?<![进过上下出回])去(?:了|啦|咯)?$/,
]

/** Work done for the person does not speak to them. */
export const withoutFavour = (text: string): string =>
  text.replace(
    / for you\b(?! to\b)|[为帮替给][您你](?=[\u4e00-\u9fff])|,? ?\bplease (?:note|wait|hold on|stand by|hang on|be patient|bear with me)\b|请(?:您|你)?(?:知悉|稍候|稍等|耐心等[待候]|放心|等一下|等等|留意)/gi,
    '',
  )

export const splitClauses = (text: string): string[] => text.split(clauseEnd).map((clause) => clause.trim().replace(chineseLead, ''))

/** No line to a person is longer. */
const longest = 400

/** True where one clause says that a part is over and another one that the agent begins the next, in any order. */
export function isHandover(text: string): boolean {
  const read = withoutFavour(text.slice(0, longest))
  if (isAboutPeople.test(read) || tellsWhen(read)) return false
  const clauses = splitClauses(read)
  const matching = (patterns: RegExp[]): number[] => [...clauses.keys()].filter((at) => patterns.some((one) => one.test(clauses[at] ?? '')))
  const differ = (first: number[], second: number[]): boolean => first.some((at) => second.some((other) => other !== at))
  const ends = matching(over)
  const starts = matching(begins)
  if (differ(ends, starts) || differ(ends, matching(worksOn)) || differ(matching(overLoosely), starts)) return true
  return differ(matching(chineseOver), matching(chineseBegins))
}
