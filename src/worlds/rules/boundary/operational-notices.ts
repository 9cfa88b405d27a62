/** Longer lines are prose that happens to begin like a notice. */
const longestNotice = 240

/** Each matches a whole line of a host or a model server, never a sentence that only mentions the subject. */
const notices: readonly RegExp[] = [
  // Errors of model servers.
  /^(?:⚠️?|❌|error:|api error:|\[error\])?\s*(?:http )?(?:429|500|502|503|529)\b/i,
  /^(?:⚠️?|❌|error:|api error:|\[error\])?\s*(?:(?:the )?(?:api|model|provider|server|account|organi[sz]ation) )?(?:rate limit(?:ed)?|usage limit|quota|credit balance)\b[^.]*(?:exceeded|reached|hit|too low|retry|try again)/i,
  /^(?:⚠️?|❌|error:|api error:|\[error\])\s/i,
  /^(?:billing|payment) (?:error|required|failed|issue)\b/i,
  /^(?:the )?(?:model|provider|server) (?:is )?(?:overloaded|unavailable|timed out)\b/i,
  // Footers and notes of hosts.
  /^(?:usage|tokens|cost|context):\s*[\d$~<]/i,
  /^\[?(?:tokens?|usage)[ :=~]{1,3}\d[\d,.k]{0,12} ?(?:in|out|input|output|tokens?|total)\b/i,
  /^[↳⤷]?\s*(?:model )?fallback(?: active| to|:)/i,
  /^(?:🧹|♻️?|auto-?)?\s*(?:context|conversation|session|history) (?:was |has been )?(?:compacted|compaction|summari[sz]ed|truncated)\b/i,
  /^(?:🧹\s*)?auto-?compaction\b/i,
  /^(?:the )?(?:reply|message|response) (?:was |has been )?(?:sent|delivered)[.!]?$/i,
  /^sent the (?:reply|message|response)[.!]?$/i,
  /^(?:已发送回复|回复已发送|消息已发送)[。！.!]?$/,
  /^(?:请求过于频繁|速率限制|额度不足|余额不足|上下文已压缩)/,
]

/** True for a line that a host or a model server wrote; it is never text for a peer. */
export function isOperationalNotice(line: string): boolean {
  const text = line.trim()
  return text !== '' && text.length <= longestNotice && notices.some((notice) => notice.test(text))
}
