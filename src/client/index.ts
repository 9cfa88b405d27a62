/**
 * Parley from a page or a program: `parleyClient({ baseUrl })`. No Node modules in here.
 */
export { parleyClient, type AnswerInput, type ClientOptions, type ParleyClient, type Said } from './client.ts'
export type { Call, Operation, OperationInput, OperationResult } from './call.ts'
export { ClientError } from './client-error.ts'
export { type CallOptions, freshKey } from './http.ts'
export type { MessagingClient } from './messaging-client.ts'
export { everything, type Follower, type Live, type LiveState } from './live.ts'
export * from './dialog-view.ts'
export { withoutMarker } from '../dialogs/rules/tellask.ts'
export { controlFor, describeAnswer, explainAnswer, listOptions, parseAnswer, type QuestionControl } from '../dialogs/rules/question.ts'
export { toIsoDate } from '../dialogs/rules/question-kinds/iso-date.ts'
export { describeBytes, fileLimits, isImageType, type MessageFile } from '../dialogs/rules/message-file.ts'
export { questionsIn } from './questions-in.ts'
export * from './build-view.ts'
export type { BuildAnswer, BuildIds, Builds, BuildSummary } from './builds.ts'
export type { BuildFeed, BuildFeedState, BuildFollower } from './build-feed.ts'
export type * from '../shapes/wire.ts'
