import { buildLimits } from '../build-limits.ts'

/** Text that no person should read, known by its shape alone. All patterns take linear time. */
type Shape = { name: string; pattern: RegExp; isSecret?: boolean }

const secrets: Shape[] = [
  {
    name: 'a private key',
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    isSecret: true,
  },
  {
    name: 'an address with a password',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{1,100}:[^\s/@]{1,200}@[^\s，。）]{1,300}/gi,
    isSecret: true,
  },
  {
    name: 'a key',
    pattern:
      /\b(?:sk|pk|rk)[-_](?:[a-z]{2,10}[-_])?[A-Za-z0-9_-]{16,200}|\bgh[opsur]_[A-Za-z0-9]{20,255}|\bgithub_pat_\w{20,255}|\bglpat-[\w-]{16,64}|\bxox[abeprs]-[\w-]{10,200}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,45}|\beyJ[\w-]{8,2000}\.[\w-]{4,4000}(?:\.[\w-]{0,1000})?|\bnpm_[A-Za-z0-9]{30,64}/g,
    isSecret: true,
  },
  { name: 'a sign-in header', pattern: /\b(?:Bearer|Basic)\s+[\w.~+/=-]{12,2000}/g, isSecret: true },
  {
    name: 'a named secret',
    pattern:
      /\b\w{0,40}(?:api[_-]?key|secret|passw(?:or)?d|token|access[_-]?key|credential)\w{0,20}["']?\s{0,3}(?:[:=：是为]|\b(?:is|was)\b)\s{0,3}["']?(?=[^\s"']{0,99}[0-9!@#$%^&*_+=])[^\s"'，。]{6,200}/gi,
    isSecret: true,
  },
  {
    name: '一个密钥',
    pattern: /(?:密码|口令|密钥|令牌)\s{0,2}(?:是|为|：|:|=)\s{0,2}(?=[\x21-\x7e]{0,99}[0-9!@#$%^&*_+=])[\x21-\x7e]{6,200}/g,
    isSecret: true,
  },
  {
    name: 'a secret after its name',
    pattern:
      /\b(?:passw(?:or)?d|passphrase|passcode|api[ _-]?key|access[ _-](?:key|token)|token|secret)["']?(?:\s(?:for|of|to)\s[^.,:;\n]{1,30}\sis)?\s{1,3}["'“]?(?!base\d|sha\d|md5|oauth|utf|[hr]s\d|argon|bcrypt|pbkdf|erc|web3|type\d|field\d|input\d)(?=[A-Za-z!@#$%^&*_-]{0,60}\d)(?=[\d!@#$%^&*_-]{0,60}[A-Za-z])[^\s"'”,;，。；]{6,200}/gi,
    isSecret: true,
  },
  {
    name: '一个密钥',
    pattern:
      /(?:密码|口令|密钥|令牌)\s{0,2}["“「]?(?!base\d|sha\d|md5|oauth|utf)(?=[A-Za-z!@#$%^&*_-]{0,60}\d)(?=[\d!@#$%^&*_-]{0,60}[A-Za-z])[\x21-\x7e]{6,200}/g,
    isSecret: true,
  },
  { name: 'a key', pattern: /(?<![\w-])(?=[A-Za-z]{0,60}\d)(?=\d{0,60}[A-Za-z])[A-Za-z0-9+]{32,200}={0,2}(?![\w-])/g, isSecret: true },
]

const machine: Shape[] = [
  {
    name: 'an id',
    pattern:
      /\b[a-z]{2,12}_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{6,60}\b|\b(?:bld|build|req|request|run|job|sess|session|evt|event|msg|task|usr|proc|trace|conv|agent|deploy|pod|wf|txn)-(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9]{6,60}\b|\b(?:commit|revision|sha|提交) ?(?=[a-f]{0,40}\d)[0-9a-f]{7,40}\b/g,
  },
  {
    name: 'a setting of the machine',
    pattern:
      /\b[A-Z][A-Z0-9]{0,40}_[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,6}\b(?!\.[a-z])|\b(?:process|import\.meta)\.env\b(?:\.\w{1,60})?|\bos\.environ\b|\b(?:password|passwd|pwd|secret|token|api_?key)=[^\s，。]{1,200}|\$(?:HOME|PATH|PWD|USER|SHELL)\b|(?<![\w.])\.env\b(?:\.\w{1,20})?/g,
  },
  {
    name: 'a source file',
    pattern:
      /(?<![\w/:.@-])(?:\.?[\w@-]{1,60}\/)(?:[\w.@+-]{1,80}\/){0,20}[\w@+-]{1,80}(?:\.[\w-]{1,20}){0,2}\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|cpp|h|cs|php|sh|sql|s?css|less|html?|vue|svelte|json|ya?ml|toml|ini|lock|log|md|map|xml|conf|cfg|txt|csv)\b|(?<![\w/:.@-])(?:src|dist|node_modules)\/[\w.@/+-]{1,200}|(?<![\w/:.@-])[\w-]{1,60}(?:\.(?:test|spec|config|d))?\.(?:tsx?|jsx|[cm]js|py|vue|svelte|scss|java|cpp)\b(?!\.)|(?<![\w/:.@-])[a-z][\w-]{0,60}(?:\.(?:test|spec|config|min))?\.js\b|\b[\w-]{1,60}\.(?:js|rb|go|rs|php|sh|sql|css|html?|json|ya?ml|md):\d{1,6}\b|\b(?:package(?:-lock)?|tsconfig|composer)\.json\b|\brequirements\.txt\b|\bDockerfile\b/g,
  },
  {
    name: 'an address of the machine',
    pattern: /\blocalhost\b(?::\d{2,5})?|\b(?:127\.0\.0\.1|0\.0\.0\.0|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3})\b/g,
  },
  { name: 'an id', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  {
    name: 'a path',
    pattern:
      /(?<![\w/:.~-])(?:~|\.{1,2})?\/(?:[\w.@+-]{1,80}\/){1,30}[\w.@+-]{0,80}|(?<![\w/:.~-])(?:~|\.{1,2})\/[\w.@+-]{1,80}|\b[A-Za-z]:\\[^\s"'，。]{1,300}|\bfile:\/\/[^\s"'，。)]{1,300}/g,
  },
  {
    name: 'a stack trace',
    pattern:
      /\bTraceback \(most recent call last\)|\bat [\w.<>$ ]{1,80} ?\([^)\s]{1,200}:\d{1,6}(?::\d{1,6})?\)|\bFile "[^"\n]{1,200}", line \d{1,7}/g,
  },
  {
    name: 'the name of an error',
    pattern:
      /\b[A-Za-z_.]{0,80}[a-z](?:Error|Exception|Warning|Rejection)\b|\bE[A-Z]{4,14}\b(?=[\s:.,，。）)]|$)|\bSIG[A-Z]{3,6}\b|\bpanic: |\bruntime error\b/g,
  },
  {
    name: 'the answer of a server',
    pattern:
      /\bHTTP (?:status )?\d{3}\b|\b(?:returned|answered|got|status) (?:code )?[45]\d\d\b|\b(?:was|is|got) a (?:40\d|429|50\d)\b|\berror (?:40\d|429|50\d)\b|\b(?:40\d|429|50\d) (?:error|response)s?\b|返回了? ?[45]\d\d(?!\d)/gi,
  },
  {
    name: 'the end of a program',
    pattern:
      /\bexit(?:ed)?(?: with)?(?: status| code)? \d{1,3}\b|\bexited with code\b|\b(?:exit(?:ed|s)?|quit|ended|died|stopped|failed|crashed|finished|returned|terminated|closed)\b[^.,;]{0,20} (?:code|status)(?: of)? \d{1,3}\b|\b(?:error|return|exit|status) (?:code|status)s?(?: (?:is|was|of))? -?\d{1,4}\b|\bnon-?zero (?:exit|status|code)\b|以状态码?\s?\d{1,3}|(?:状态码|退出(?:码|代码|状态)|返回码|错误码|错误代码)\s?(?:是|为|：|:)?\s?-?\d{1,4}|(?:退出|终止|崩溃|中止|停止)[^。；]{0,6}(?:代码|状态)\s?(?:是|为|：|:)?\s?-?\d{1,4}|\bcore dumped\b|\bsegmentation fault\b/gi,
  },
  {
    name: 'names of the protocol',
    pattern:
      /\bTIDY_[A-Z_]{2,40}|\b(?:USER_ANSWERS?|BUILD_REQUEST|MESSAGE_TYPE|QUESTION_IDS?|SESSION_ID|BUILD_ID)\b|\b(?:session|progress|status|phase|questions?|assistant)\.(?:step\.|message\.)?(?:started|completed|failed|changed|requested|created)\b/g,
  },
  {
    name: 'a name in code',
    pattern: /\b[a-z]{1,40}(?:_[a-z0-9]{1,40}){1,6}\b(?:\([^)\n]{0,200}\))?|\b\w{1,40}\((?:["'][^)\n]{0,200}|\w{1,30}=[^)\n]{0,200})?\)/g,
  },
  { name: 'an object', pattern: /\{\s{0,3}"[\w.-]{1,60}"\s{0,3}:[^}\n]{0,2000}\}?/g },
  {
    name: 'a command',
    pattern:
      /`[^`\n]{1,300}`|\b(?:npm|npx|pip3?|apt|brew|cargo|yarn|pnpm|docker|kubectl|git|curl|pytest|python3?|node|bash|make) (?:-{1,2}\w|install|run|commit|push|clone|pull|build|exec|test|returned|add|init)|\bpytest\b|\bnpm (?:ERR!|WARN\b|error\b)/g,
  },
]

type Found = { name: string; text: string }

const placeholder = '•••'

/** A name the person used themselves is theirs. What is looked up is bounded, however much they wrote and it says. */
function ownNames(own: string): (hit: string) => boolean {
  const theirs = own.slice(-buildLimits.ownWordsChars).toLowerCase()
  const cache = new Map<string, boolean>()
  return (hit) => {
    if (isFraction.test(hit)) return true
    if (theirs === '') return false
    const name = hit.toLowerCase()
    if (cache.size < 100 && !cache.has(name)) cache.set(name, theirs.includes(name))
    return cache.get(name) === true
  }
}

const isFraction = /^\/?\d{1,4}(?:\/\d{1,4}){0,2}\/?$/

/** Every shape in this text. A secret is named, never repeated. */
export function findShapes(text: string, own = ''): Found[] {
  const isTheirs = ownNames(own)
  return [...secrets, ...machine].flatMap(({ name, pattern, isSecret }) => {
    for (const [hit] of text.matchAll(pattern)) if (isSecret || !isTheirs(hit)) return [{ name, text: isSecret ? placeholder : hit }]
    return []
  })
}

const traceLine =
  /\bTraceback \(most recent call last\)|^\s{0,12}at [^\n]{1,200}[:(]\d{1,6}(?::\d{1,6})?\)?|^\s{0,12}File "[^"\n]{1,200}", line \d{1,7}|^\s{0,12}Caused by: |^goroutine \d{1,6} \[|\bpanicked at /

/** The text without the lines of stack traces: from the first line of each to the next empty line. Null when there are none. */
export function withoutTraces(text: string): string | null {
  let isInside = false
  const lines = text.split('\n')
  const rest = lines.filter((line) => {
    isInside = line.trim() !== '' && (isInside || traceLine.test(line))
    return !isInside
  })
  return rest.length === lines.length ? null : rest.join('\n').trim()
}

/** The same text with a placeholder for each secret, otherwise byte for byte as it was. */
export const withoutSecrets = (text: string): string => secrets.reduce((left, { pattern }) => left.replace(pattern, placeholder), text)

/** For text that must stay although a part of it may not be read. Null when nothing else is left. */
export function withoutShapes(text: string, own = '', ids: readonly string[] = []): string | null {
  const isTheirs = ownNames(own)
  const bare = machine.reduce(
    (left, { pattern }) => left.replace(pattern, (hit) => (isTheirs(hit) ? hit : placeholder)),
    withoutSecrets(text),
  )
  const shown = ids.reduce((rest, id) => (id.length < 8 ? rest : rest.replaceAll(id, placeholder)), bare)
  return /[\p{L}\p{N}\p{S}]/u.test(shown.replaceAll(placeholder, '')) ? shown : null
}
