import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from './project-files.ts'

type Names = { values: string[]; types: string[] }

/** The public names. Adding or removing one is a decision and belongs in CHANGELOG.md. */
const surface: Record<string, Names> = {
  '.': {
    values: [
      'ParleyError',
      'agent',
      'anthropic',
      'catalogue',
      'defineAgent',
      'definePlugin',
      'defineTool',
      'describeError',
      'memoryStore',
      'ollama',
      'openai',
      'owner',
      'parley',
      'parsePolicy',
      'scriptedRuntime',
      'sqliteStore',
      'startParley',
      'team',
    ],
    types: [
      'Agent',
      'AgentOptions',
      'AgentOutput',
      'AgentRuntime',
      'AgentScript',
      'Answers',
      'As',
      'Author',
      'Caller',
      'Cause',
      'Clock',
      'CommandAgentOptions',
      'DefinedAgent',
      'Dialog',
      'DialogDetail',
      'DialogEvent',
      'ErrorCode',
      'ErrorDetails',
      'ErrorWords',
      'EventView',
      'GenerationInput',
      'GivenAnswer',
      'Ids',
      'Language',
      'Log',
      'Model',
      'ModelAgentOptions',
      'ModelOptions',
      'OpenParley',
      'Parley',
      'ParleyApp',
      'ParleyOptions',
      'ParleyParts',
      'Participant',
      'Plugin',
      'PluginHost',
      'PluginParts',
      'PluginStorage',
      'Policy',
      'Question',
      'QuestionItem',
      'QuestionView',
      'Role',
      'RunningParley',
      'ScriptedAgent',
      'ScriptedAgentOptions',
      'Stage',
      'StartOptions',
      'Store',
      'Team',
      'Tool',
      'ToolContext',
      'ToolGate',
      'ToolSpec',
      'WebOptions',
    ],
  },
  './client': {
    values: [
      'ClientError',
      'buildViewOf',
      'buildViewOfAll',
      'controlFor',
      'currentStep',
      'describeAnswer',
      'describeBytes',
      'emptyBuild',
      'emptyView',
      'everything',
      'explainAnswer',
      'fileLimits',
      'freshKey',
      'isImageType',
      'listOptions',
      'parleyClient',
      'parseAnswer',
      'questionsIn',
      'stepOf',
      'toIsoDate',
      'toView',
      'viewOfAll',
      'withDelta',
      'withQueued',
      'withRefused',
      'withSent',
      'withoutMarker',
      'withoutQueued',
    ],
    types: [
      'AgentView',
      'AnswerInput',
      'Answers',
      'ApprovalView',
      'AskedQuestion',
      'AssignmentItem',
      'BuildAnswer',
      'BuildEventView',
      'BuildFailure',
      'BuildFailureCause',
      'BuildFeed',
      'BuildFeedState',
      'BuildFollower',
      'BuildIds',
      'BuildLine',
      'BuildQuestion',
      'BuildStepState',
      'BuildStepView',
      'BuildSummary',
      'BuildTokenView',
      'BuildView',
      'BuildViewStatus',
      'Builds',
      'Call',
      'CallOptions',
      'ChannelView',
      'ClientOptions',
      'ControlsView',
      'CourseItem',
      'DeathItem',
      'DeliveryView',
      'DeltaView',
      'DialogDetail',
      'DialogEvent',
      'DialogItem',
      'DialogStatus',
      'DialogSummary',
      'DialogView',
      'Done',
      'Draft',
      'DrySend',
      'ErrorWords',
      'EventView',
      'ExplainRequest',
      'FailureItem',
      'FailureView',
      'Follower',
      'GivenReplyItem',
      'GrantView',
      'HealthLevel',
      'Inbox',
      'InboxItem',
      'Language',
      'Live',
      'LiveFrame',
      'LiveRequest',
      'LiveState',
      'MessageAt',
      'MessageFile',
      'MessageItem',
      'MessageRequest',
      'MessagingClient',
      'NoteItem',
      'OpenQuestionItem',
      'Operation',
      'OperationInput',
      'OperationResult',
      'Page',
      'PairingState',
      'PairingView',
      'ParleyClient',
      'Participant',
      'PersonEvent',
      'PolicyExplanation',
      'PolicyView',
      'PromptItem',
      'Question',
      'QuestionControl',
      'QuestionEnd',
      'QuestionInbox',
      'QuestionItemView',
      'QuestionOutcome',
      'QuestionView',
      'Queued',
      'ReminderView',
      'ReplyItem',
      'RuleView',
      'Said',
      'Scope',
      'Sent',
      'ServerInfo',
      'SessionView',
      'StepId',
      'StopItem',
      'StopView',
      'TapView',
      'Target',
      'TellaskItem',
      'TokenLimit',
      'TokenView',
      'ToolItem',
      'UnclaimedName',
      'UnclaimedView',
      'WholeInbox',
    ],
  },
  './message': {
    values: ['actionOf', 'buildCrossContextPresentation', 'messageLimits', 'normaliseMessage', 'normalisePresentation', 'textReading'],
    types: [
      'ChannelDeliveryCapabilities',
      'ChannelPresentationCapabilities',
      'Dropped',
      'MediaKind',
      'MessageMedia',
      'MessagePresentation',
      'MessagePresentationAction',
      'MessagePresentationBlock',
      'MessagePresentationButton',
      'MessagePresentationButtonStyle',
      'MessagePresentationChart',
      'MessagePresentationOption',
      'MessagePresentationTable',
      'MessagePresentationTone',
      'ReplyPayload',
      'ReplyPayloadDelivery',
      'TextEncoding',
    ],
  },
  './testing': {
    values: [
      'SimulatedCrash',
      'agentContract',
      'countedIds',
      'countingStore',
      'crashingStore',
      'deciderSpecification',
      'memoryBacking',
      'modelEmulator',
      'simulatedClock',
      'storeContract',
      'teamOf',
      'telegramEmulator',
      'telegramFaults',
    ],
    types: ['AgentSubject', 'CrashPoint', 'MemoryBacking', 'SimulatedClock', 'StoreCase', 'StoreSubject', 'TelegramEmulator'],
  },
  './store/postgres': { values: ['openPostgres', 'postgresStore'], types: ['PostgresOptions'] },
  './plugins/reply-end-controls': {
    values: [
      'encodeChoice',
      'endControls',
      'endLabels',
      'endPolicies',
      'endToasts',
      'fileEndStorage',
      'memoryEndStorage',
      'newControlId',
      'readChoice',
      'replyEndControls',
      'shortEndLabels',
    ],
    types: [
      'Closure',
      'ControlRecord',
      'ControlState',
      'ConversationControls',
      'EndActions',
      'EndChoice',
      'EndChoiceEvent',
      'EndControls',
      'EndControlsContext',
      'EndControlsFlavor',
      'EndControlsOptions',
      'EndPolicy',
      'EndStorage',
      'Locale',
      'PrepareRequest',
      'PreparedRows',
      'ReplyEnd',
      'ReplyEndOptions',
      'Stored',
      'TapRequest',
      'TapVerdict',
      'TurnPolicy',
    ],
  },
}

/** The exported names of a file, read from its text, because types leave no trace at run time. */
function getNames(path: string): Names {
  const text = readFileSync(root + path, 'utf8')
  const names: Names = { values: [], types: [] }
  for (const [, kind, list] of text.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const entry of (list ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)) {
      const name =
        entry
          .replace(/^type /, '')
          .split(' as ')
          .at(-1) ?? ''
      ;(kind !== undefined || entry.startsWith('type ') ? names.types : names.values).push(name)
    }
  }
  for (const [, word, name] of text.matchAll(/^export (?:async )?(function\*?|const|let|class|type|interface) (\w+)/gm)) {
    ;(word === 'type' || word === 'interface' ? names.types : names.values).push(name ?? '')
  }
  for (const [, kind, target] of text.matchAll(/^export (type )?\* from '([^']+)'/gm)) {
    const inner = getNames(posix.join(posix.dirname(path), target ?? ''))
    names.types.push(...inner.types, ...(kind === undefined ? [] : inner.values))
    if (kind === undefined) names.values.push(...inner.values)
  }
  return { values: [...new Set(names.values)].toSorted(), types: [...new Set(names.types)].toSorted() }
}

const entries = Object.entries((JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { exports: Record<string, string> }).exports)
  .filter(([, file]) => file.endsWith('.js'))
  .map(([entry, file]) => ({ entry, source: file.replace('./dist/', '').replace(/\.js$/, '.ts') }))

test('every entry of the package is pinned', () => {
  assert.deepEqual(
    entries.map(({ entry }) => entry),
    Object.keys(surface),
  )
})

for (const { entry, source } of entries) {
  test(`what "${entry}" exports`, async () => {
    const names = getNames(source)
    assert.deepEqual(names, surface[entry])
    const module = (await import(pathToFileURL(root + source).href)) as object
    assert.deepEqual(Object.keys(module).toSorted(), names.values, 'what the text says is what is really there')
  })
}
