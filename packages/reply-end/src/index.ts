/** Continue or stop, under each reply. Nothing here knows Parley: any Telegram bot can mount it. */

// For a grammY bot
export { type EndControlsContext, type EndControlsFlavor, type ReplyEnd, replyEndControls, type ReplyEndOptions } from './grammy.ts'

// For any other runtime
export {
  type EndActions,
  type EndChoiceEvent,
  type EndControls,
  endControls,
  type EndControlsOptions,
  type PreparedRows,
  type PrepareRequest,
  type TapRequest,
  type TapVerdict,
} from './end-controls.ts'

// Where the controls are kept
export { fileEndStorage } from './file-storage.ts'
export { type EndStorage, memoryEndStorage, type Stored } from './storage.ts'

// Labels, and the meaning of a choice
export { type EndChoice, endLabels, endToasts, type Locale, shortEndLabels } from './labels.ts'
export { encodeChoice, newControlId, readChoice } from './callback-data.ts'
export type { Closure, ControlRecord, ControlState, ConversationControls } from './control-record.ts'
export { type EndPolicy, endPolicies, type TurnPolicy } from './policy.ts'
