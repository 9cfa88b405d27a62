/**
 * Words an agent needs to speak of its own work. A sentence made of nothing else says nothing of what is built, whose words
 * are those of the world outside: a menu, a guest, a price.
 */
const plainWords =
  'the a an of to in on for with and or so as than is are was were be been being am has have had having will would shall can could may might must do does did i we me us my our it its this that these those there here all both each every everything anything something nothing from into onto by at up out over off down back before after since because while until once when if whether not no yes ok okay great good right alright perfect nice well fine now just also already still then next first second third fourth fifth sixth seventh last final previous following current new old one two three four five six seven eight nine ten few several more most some any other another different same again along through about around which what how where who only even yet soon shortly moment minute second sec bit while time quick quickly quickly briefly straight ahead away forward together too very much many almost nearly about rather side sides instead far per via according within without under way let lets hang tight go going goes gone went get gets getting got come comes coming came put putting take takes taking took taken make makes making made see sees look looks looking like need needs needed want wants try tries trying tried keep keeps keeping set turn time thing things kind part parts piece pieces bit bits rest half lot round number total left remaining pending officially successfully finally currently actually directly immediately momentarily afterwards meanwhile later today onward onwards off use used using speak care clean question fresh actual halfway ahead solid enough extra larger smaller better'
const processWords =
  'start begin began begun commence kick launch enter move proceed continue switch transition turn head dive jump tackle pick resume follow underway progress motion ongoing run ran running done finish complete completion over ready wrap sort settle pass clear close conclude lock nail place hand bag can books way behind belt tick check cross green collect gather hunt assemble assembly draft map lay laid parse validate validation verify verification approve finalize finalise finalization stand seal read reading write writing wrote written plan planning design research analyse analyze analysis request requirement brief scope scoping discovery reference source resource material tool toolkit doc docs documentation lookup outline architecture blueprint layout structure skeleton sketch component module groundwork code coding review touch polish deploy deployment publish delivery deliver handoff handover setup batch phase stage step milestone status state update task job item list todo workflow flow process procedure stretch gear mode thought think reason reasoning understand understood understanding digest summary summarise output input result results build building builder construct construction implement implementation integrate integration test testing suite qa wire wiring scaffold package packaging prepare preparation work working worker wait waiting queue schedule scheduler order parallel concurrently simultaneously background foreground spawn fork spin boot restart retry retries rerun resend repeat crash fail failure error exception bug fix patch debug log trace event protocol message turn session user option answer answered select choose pick context token prompt instruction instructions memory history compact compress truncate checkpoint save saved load loaded reload cache cached index file files folder directory disk path script function method class variable parameter argument config configuration configure setting settings environment env sandbox container server service backend frontend runtime api endpoint call query search fetch fetched pull pulled push scrape scraper crawler crawl parser planner tester researcher coder reviewer helper assistant agent agents subagent model llm bot thread process branch merge graph tree node pipeline chain hook handler plugin plugins schema template templates json yaml xml html markdown payload header headers field id key value type format syntax generate generation generator create creation produce compile render inject register initialize initialise initiate execute execution invoke emit dispatch assign allocate distribute split divide delegate hand pass transfer report reported return returned respond response receive received send sent convert transform conversion install dependency dependencies clone repository repo commit version skill skills capability sanity final hit limit rate timeout timed connection connect connected network warm warming cold start idle busy active live pending block blocked unblock stop pause main loop cycle iteration iterate attempt pass passes allowed supposed internal system logic snippet stub mock lint linter compile compiler regex iterate step-by-step verbose log runner conversation trim fit fits deduplicate rank tag tags change changes structured fallback fall copy stop closing commence commences mode environment'
const plainStems = new Set(plainWords.split(' '))
const processStems = new Set(processWords.split(' ').filter((word) => !plainStems.has(word)))

function isIn(stems: ReadonlySet<string>, word: string): boolean {
  if (stems.has(word)) return true
  for (const ending of ['s', 'es', 'd', 'ed', 'ing', 'ly', 'er', 'ers', 'ion', 'ions'])
    if (word.endsWith(ending)) {
      const stem = word.slice(0, -ending.length)
      if (stems.has(stem) || stems.has(`${stem}e`) || (stem.at(-1) === stem.at(-2) && stems.has(stem.slice(0, -1)))) return true
    }
  return word.endsWith('ies') && stems.has(`${word.slice(0, -3)}y`)
}

const chineseProcess =
  /拉开序幕|扬帆起航|接力棒|对话|去重|排序|备用|接手|提交|改动|标签|句号|提上日程|告一段落|查资料|收个尾|智能体|大模型|上下文|检查点|没问题|需求|请求|解析|分析|调研|研究|查阅|查找|查询|资料|素材|参考|文档|来源|工具|收集|搜集|采集|检索|搜索|规划|计划|方案|设计稿?|蓝图|架构|框架|大纲|草稿|初稿|组装|拼装|拼接|装配|搭建|构建|制作|开发|编码|编写|代码|零件|部件|组件|模块|测试|验证|校验|核验|核对|检查|自检|验收|收尾|打包|定稿|交付|发布|部署|润色|工作|阶段|环节|工序|步骤|进度|进展|状态|流程|任务|作业|队列|排队|线程|进程|子?代理|模型|提示词?|模板|指令|协议|事件|消息|会话|轮次|选项|回答|用户|输出|输入|结果|格式|错误|报错|异常|失败|重试|重发|重跑|重新|生成|创建|转换|编译|渲染|注入|加载|读取|写入|保存|缓存|文件夹?|目录|磁盘|脚本|函数|变量|参数|配置|设置|环境|沙箱|容器|服务器?|后端|前端|接口|调用|返回|响应|限流|超时|连接|网络|资源|分配|拆分|合并|分支|汇总|整合|节点|插件|依赖|安装|克隆|仓库|版本|技能|能力|系统|内部|逻辑|预热|启动|重启|运行|执行|开始|继续|着手|动手|进入|转入|转到|转向|切换|轮到|展开|推进|投入|跟上|登场|日程|走起|开工|完成|完毕|结束|搞定|就绪|就位|到位|收工|收官|敲定|妥当|通过|全绿|理清|出炉|拿到|清楚|明白|读懂|读完|看完|写完|做完|弄完|同步|并行|并发|后台|前台|收到|确认|可用|拆|齐全?|发送?|交给?|跑|搭|图|链/g
const chinesePlain =
  /那一份|裁短?|放进|画上|打上|收口|铺开|随之|这块|什么|旧|开搞|赶紧|赶快|抓紧|起来|下来|出来|出去|过来|过去|哪些|什么|动|定|趁|挑|剩|遗留|遗漏|您的代理|您的构建|您的请求|您的需求|您的回答|差不多|接下来|接下去|一切|全部|所有|各个|各项|每个|目前|当前|现在|刚刚|刚才|之前|此前|之后|以后|还在|还剩|已经|只能|可以|应该|打算|因为|由于|因此|所以|既然|那么|那边|这边|这里|这个|自己|根据|分钟|稍后|待会儿?|一会儿?|最后|最终|下一|上一|另一|其他|顺利|正常|整个|初步|具体|同时|部分|内容|问题|正在|正式|正往|马上|立刻|立马|立即|即将|这就|随后|随即|然后|下面|后面|接着|准备|处理|进行中?|一下|可能|弄|画|写|做|看|读|查|找|改|调|测|想|每|现|刚|后|前|先|再|还|正|已|都|也|就|才|又|均|只|可|能|会|将|要|得|该|需要?|让|把|被|给|由|从|到|向|往|对|为|用|在|于|与|和|及|并且?|而|但|且|或|那|这一?|这|它们?|我们?|咱们?|的|了|啦|吧|呢|哈|哦|咯|吗|着|过|地|个|条|项|步|轮|批|次|块|关|遍|下|上|中|里|一|二|两|三|四|五|六|七|八|九|十|第|多|几|好的?|行|嗯|是的?|不对?|没|有|完|好|去|来|走|等待?|等|递|按照?|秒|快|新|工|线|边|件|器/g

/** Counts the words of the sentence that belong to the work of an agent, and those that belong to the world outside. */
export function countWords(sentence: string): { process: number; outside: number } {
  let process = 0
  let outside = 0
  for (const [word] of sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .matchAll(/[a-z][a-z']*/g)) {
    const bare = word.replace(/n't$|'(?:s|m|re|ve|ll|d|t)?$/, '')
    if (isIn(processStems, bare)) process += 1
    else if (!isIn(plainStems, bare)) outside += 1
  }
  const rest = sentence.replace(chineseProcess, () => {
    process += 1
    return ' '
  })
  // Two characters are about one word.
  outside += (rest.replace(chinesePlain, ' ').match(/[\u4e00-\u9fff]/g)?.length ?? 0) / 2
  return { process, outside }
}
