import { languageCodes } from '../../shapes/language.ts'
import { z } from 'zod'
import { channelsSchema } from './channels-schema.ts'
import { entryName } from './entry-name.ts'
import { mailSchema } from './mail-schema.ts'
import { mcpServerSchema } from './mcp-schema.ts'
import { pluginSchema } from './plugins-schema.ts'
import { worldsSchema } from './worlds-schema.ts'

const language = z.enum(languageCodes)

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const budgetSchema = z.strictObject({
  tokens: z.int().min(1).optional().describe('Tokens of prompts and replies together.'),
  money: z.number().positive().optional().describe('In the currency of the prices; every model of the team needs a price then.'),
})

/** 0 to 65535. */
const portText = /^(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/

/** As a browser sends it in the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text
}

export const serverSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. Others can reach anything but 127.0.0.1, so a secret is needed then.'),
  port: z
    .union([z.int().min(0).max(65_535), z.stringFormat('port', portText).transform(Number)])
    .default(4700)
    .describe('0 takes any free port.'),
  origins: z.array(z.url()).default([]).describe('Addresses this server is reached by behind a proxy, such as https://parley.example.org.'),
  embedOrigins: z
    .array(z.string().refine(isOrigin, 'expected an exact origin such as https://shop.example.org: no path, no slash at the end, no *'))
    .max(50)
    .default([])
    .describe('Origins of other pages that may show a build with <parley-build> and a token for it. No cookies are accepted from there.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected a time zone such as Europe/Berlin')
    .optional()
    .describe("The owner's time zone, such as Europe/Berlin. That of this machine unless set."),
  secret: z.string().min(32).optional().describe('At least 32 random characters; best given as ${PARLEY_SECRET}.'),
})

export const storeSchema = z.strictObject({
  path: z.string().min(1).optional().describe('Folder of the data, relative to this file. ./.parley unless set.'),
  url: z
    .string()
    .refine(
      (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
      'expected an address such as postgres://user@host:5432/database',
    )
    .optional()
    .describe('PostgreSQL for several processes, such as ${DATABASE_URL}. Without it the data is in a file of the folder.'),
  retire: z
    .strictObject({
      afterDays: z.int().min(1).max(36_500).describe('Days that a finished dialog rests before it is retired.'),
      folder: z.string().min(1).optional().describe('Folder of the files, relative to this file. `retired` in the data folder unless set.'),
    })
    .optional()
    .describe('Retires finished dialogs: their events move to compressed files. Off unless set.'),
})

const modelParams = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).optional().describe('Most tokens of one reply, with reasoning.'),
  topP: z.number().min(0).max(1).optional().describe('Nucleus sampling. Set this or temperature.'),
  stop: z.array(z.string().min(1).max(100)).min(1).max(4).optional().describe('Texts at which the model stops.'),
  effort: z
    .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional()
    .describe('How much the model reasons. Sent in the form of the provider; none switches reasoning off where that is possible.'),
  thinkingTokens: z.int().min(1_024).max(1_000_000).optional().describe('Most tokens of reasoning, for models that take such a bound.'),
  showThinking: z.boolean().optional().describe('Ask for a summary of the reasoning where the provider hides it.'),
})

export const modelSchema = z.strictObject({
  provider: z.enum(['openai-compatible', 'anthropic']),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the API, such as http://127.0.0.1:11434/v1 for Ollama.'),
  model: z.string().min(1).describe('Name of the model at the provider.'),
  apiKey: z.string().min(1).optional().describe('Best given as ${NAME_OF_A_VARIABLE}.'),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with each request, for gateways that want their own.'),
  wire: z
    .enum(['chat', 'responses', 'anthropic'])
    .optional()
    .describe(
      'Protocol: chat (Chat Completions), responses (OpenAI Responses) or anthropic (Anthropic Messages). Chosen by provider and model unless set.',
    ),
  ...modelParams.shape,
  firstTokenSeconds: z.number().positive().max(3600).default(60).describe('The longest wait for the first token.'),
  betweenTokensSeconds: z.number().positive().max(3600).default(60).describe('The longest pause within a reply.'),
  contextLength: z
    .int()
    .min(1)
    .optional()
    .describe('Most tokens of prompt and reply together. Unless set, the server is asked, or the family of the model is known.'),
  inputLength: z.int().min(1).optional().describe('Most tokens of the prompt, for models that count it apart.'),
  optimalMaxTokens: z.int().min(1).optional().describe('Has no effect: levels follow from the window.'),
  criticalMaxTokens: z.int().min(1).optional().describe('Has no effect: levels follow from the window.'),
  profile: z
    .strictObject({
      notes: z.enum(['developer', 'system', 'user']).describe('Role of the sentences of the runtime.'),
      alternate: z.boolean().describe('Neighbouring user messages are joined.'),
      bridge: z.boolean().describe('A fixed assistant message stands between a tool result and a user message.'),
      callIds: z.enum(['common', 'short']).describe('short: ids of calls have nine letters or digits.'),
      textCalls: z.boolean().describe('A reply that is nothing but a written call is read as that call.'),
      cacheKey: z.boolean().describe('prompt_cache_key is sent.'),
    })
    .partial()
    .optional()
    .describe('Habits of the server, where they differ from what is known about it.'),
  fallback: z.string().optional().describe('A name under models that is asked once when this model declines.'),
  images: z
    .boolean()
    .optional()
    .describe('The model takes images. Known for models of OpenAI, Anthropic and Google; others get a line of text instead unless set.'),
  cacheTtl: z.enum(['5m', '1h']).optional().describe('How long Anthropic keeps the prompt in its cache. 5m unless set; 1h costs more.'),
  extraBody: z
    .record(z.string().min(1), z.json())
    .optional()
    .describe('Further fields of the request body, for what has no setting here. The model, its messages and tools stay as they are.'),
  price: z
    .strictObject({
      inputPerMillion: z.number().min(0),
      cachedInputPerMillion: z.number().min(0).optional().describe('Tokens read from the cache. As other input unless set.'),
      cacheWritePerMillion: z.number().min(0).optional().describe('Tokens written to the cache. As other input unless set.'),
      outputPerMillion: z.number().min(0),
      step: z
        .strictObject({ aboveTokens: z.int().min(1), factor: z.number().min(0) })
        .optional()
        .describe('A request with a larger prompt costs this many times as much.'),
    })
    .optional()
    .describe('Price of a million tokens, in the currency of the budget.'),
  cautionCadence: z.int().min(1).optional().describe('Has no effect: levels follow from the window.'),
})

const globs = z.array(z.string().min(1).max(500)).max(100)

/** Settings of every agent, whatever its runtime. */
const memberSettings = {
  about: z.string().max(500).optional().describe('The purpose of this agent, in a sentence.'),
  language: language.optional().describe("The language it answers in; without it, the human's."),
  tools: z.array(z.string()).optional().describe('Names of tools it may use.'),
  toolsets: z
    .array(z.enum(['memory', 'ws_read', 'ws_mod', 'os', 'message']))
    .optional()
    .describe(
      'memory: notes it keeps across dialogs · ws_read, ws_mod: read and change files · os: run shell commands · message: write to chat apps.',
    ),
  mcp: z.array(z.string()).optional().describe('Names under mcp whose tools it may use; "*" for all.'),
  readDirs: globs.optional().describe('Folders that ws_read may read, such as src/**. Everything beside this file unless set.'),
  writeDirs: globs.optional().describe('Folders that ws_mod may change. None unless set.'),
  noReadDirs: globs.optional().describe('Exceptions from readDirs.'),
  noWriteDirs: globs.optional().describe('Exceptions from writeDirs.'),
  hosts: z
    .array(z.stringFormat('host', /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/))
    .max(100)
    .optional()
    .describe('Hosts that its programs and shell may reach, such as api.example.org or *.example.org:443. None unless set.'),
  env: z
    .array(z.stringFormat('name', /^[A-Za-z_][A-Za-z0-9_]{0,99}$/))
    .max(100)
    .optional()
    .describe('Names of variables of the server that its programs and shell get. Common ones such as PATH and LANG are there.'),
  governor: z.boolean().optional().describe('It may change the memory the whole team shares.'),
  'fbr-effort': z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('How many fresh minds freshBootsReasoning starts; 3 unless set, 0 switches it off.'),
  'diligence-push-max': z
    .int()
    .optional()
    .describe(
      'How often it is told to check its work before it rests, until a person writes again. A model: 3 in roots with a task document, otherwise 0. Below 1: never.',
    ),
}

const modelMemberSchema = z.strictObject({
  runtime: z.literal('model').describe('A language model.'),
  prompt: z.string().optional().describe('Instructions for the model.'),
  model: z.string().optional().describe('A name under models. Optional with one model.'),
  models: z
    .array(z.string())
    .min(1)
    .max(20)
    .optional()
    .describe('Names under models that people may choose in a chat instead of model. Nobody chooses unless set.'),
  fbrModelParams: modelParams.optional().describe('Model settings for freshBootsReasoning.'),
  ...memberSettings,
})

const commandMemberSchema = z.strictObject({
  runtime: z.literal('command').describe('Your own program.'),
  command: z.array(z.string()).min(1).optional().describe('Program and arguments, started for each generation. No shell is involved.'),
  input: z.enum(['text', 'json']).optional().describe('Input on stdin: the latest message, or everything as one JSON document.'),
  builds: z
    .enum(['events', 'plain'])
    .optional()
    .describe(
      'Its output in builds: one event on each line, or the plain reply of a model command line such as claude -p. events unless set.',
    ),
  cwd: z.string().optional().describe('The folder the program runs in and may write to, relative to this file.'),
  timeoutSeconds: z.number().positive().max(86_400).optional().describe('600 unless set.'),
  maxOutputBytes: z.int().min(1).optional().describe('1000000 unless set.'),
  ...memberSettings,
})

const scriptedMemberSchema = z.strictObject({
  runtime: z.literal('scripted').describe('A module of yours, or the demo.'),
  module: z.string().optional().describe('File whose default export is an agent, relative to this file.'),
  ...memberSettings,
})

/** By runtime, to tell for which one a setting is. */
export const memberSchemas = { model: modelMemberSchema, command: commandMemberSchema, scripted: scriptedMemberSchema } as const

const memberSchema = z.discriminatedUnion('runtime', [modelMemberSchema, commandMemberSchema, scriptedMemberSchema], {
  error: (issue) => (issue.code === 'invalid_union' ? 'it must be one of "model", "command", "scripted"' : undefined),
})

export const limitsSchema = z.strictObject({
  thinkingTokens: z.int().min(1).default(64_000).describe('Most tokens a model may think in one generation.'),
  generationSeconds: z
    .number()
    .positive()
    .max(86_400)
    .default(900)
    .describe('Longest generation of a model or a module. A program has its own timeoutSeconds, which counts where it is longer.'),
  outputFactor: z
    .number()
    .min(1)
    .max(100)
    .default(2)
    .describe('A model that writes more than this many times the requested maxOutputTokens is ended.'),
  generationsPerTurn: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('Steps of one turn after which the owner is asked whether it continues.'),
  requestsInARow: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('Requests to other agents without a word from a person after which the owner is asked whether to continue.'),
  failedReplyAfterMinutes: z
    .number()
    .min(0)
    .max(100_000)
    .default(30)
    .describe('The agent that waits for a failed dialog gets a failed reply after this time, unless a person acts before.'),
  concurrency: z.int().min(1).max(10_000).default(64).describe('Dialogs that run at the same time.'),
  depth: z.int().min(1).max(64).default(8).describe('Levels of requests from agent to agent.'),
  sideDialogs: z.int().min(0).max(10_000).default(500).describe('Side dialogs of one dialog in all.'),
  requestsPerMinute: z.int().min(1).default(6_000).describe('From one caller.'),
  bodyBytes: z.int().min(1_000).default(512_000).describe('Largest request.'),
  liveConnections: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe('WebSockets, event streams and AG-UI runs open at the same time. A tenth is reserved for tokens with the scope admin.'),
  liveConnectionsPerToken: z.int().min(1).max(100_000).default(256).describe('The same for one token or one signed-in browser.'),
  drainSeconds: z
    .number()
    .min(0)
    .max(600)
    .default(0)
    .describe(
      'After SIGTERM: time for which /readyz answers 503 while requests are still served, so that a proxy turns to other processes.',
    ),
  shutdownSeconds: z.number().min(0).max(600).default(10).describe('Time that running turns get to finish when the server stops.'),
})

const named = <Value extends z.ZodType>(value: Value): z.ZodRecord<z.ZodString, Value> => z.record(entryName, value)

/** The whole of parley.yaml. Every part may be left out. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  server: serverSchema.prefault({}),
  store: storeSchema.prefault({}),
  models: named(modelSchema).default({}),
  team: z
    .strictObject({
      budget: budgetSchema.optional().describe('The same as budgets.dialog.'),
      default: z.string().optional().describe('The member that answers when none is named. The first one unless set.'),
      members: named(memberSchema).default({}),
    })
    .prefault({}),
  budgets: z
    .strictObject({
      dialog: budgetSchema.optional().describe('One dialog with all its side dialogs.'),
      agent: budgetSchema.optional().describe('Each agent, in all its dialogs.'),
      day: budgetSchema.optional().describe('Everything on one day, in the time zone of server.timeZone.'),
      owner: budgetSchema.optional().describe('Everything together.'),
    })
    .prefault({})
    .describe('The most that may be spent on models. The first that is spent applies: the owner is asked, and work waits.'),
  mcp: named(mcpServerSchema).default({}).describe('Servers of the Model Context Protocol, whose tools members may be given.'),
  sandbox: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: shell commands and agent programs run with all rights of the server. parley doctor reports it as an error.'),
  limits: limitsSchema.prefault({}),
  channels: channelsSchema.prefault({}).describe('Accounts on chat platforms that people can talk to the team by.'),
  mail: mailSchema.optional().describe('E-mail to people about questions, approvals and builds. Off unless set.'),
  worlds: worldsSchema.prefault({}).describe('Conversations with agents of other owners. Off unless an agent is named.'),
  // Read as written and checked by load-policy.ts; editors get their shape from policy-schema.ts.
  people: z.unknown().optional(),
  policy: z.unknown().optional(),
  plugins: named(pluginSchema).default({}).describe('Plugins, called in this order.'),
})

type WrittenConfig = z.output<typeof configSchema>

/** As it was read, without the entries that cannot be used. */
export type Config = Omit<WrittenConfig, 'team'> & {
  /** `skipped` names members of the file whose entry was left out. */
  team: WrittenConfig['team'] & { skipped?: readonly string[] }
}
export type ModelConfig = z.output<typeof modelSchema>
export type MemberConfig = z.output<typeof memberSchema>

export type ModelMemberConfig = z.output<typeof modelMemberSchema>
