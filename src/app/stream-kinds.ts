import { noticeViews } from '../notices/subscriptions.ts'
import { sessionView } from '../server/auth/sessions.ts'
import { upgradeView } from '../server/auth/upgrade-mark.ts'
import { deliveryKind, deliveryStream } from '../chats/outbox/delivery-kind.ts'
import { deliveryViews } from '../chats/outbox/delivery-rows.ts'
import { bindingKind, bindingStream, inboundViews } from '../chats/bindings/binding-kind.ts'
import { announceViews } from '../chats/announce/announce-views.ts'
import { documentKind, documentStream, documentView } from '../plugins/host/document-kind.ts'
import { runningView } from '../streams/running-mark.ts'
import { buildKind, isBuildStream } from '../builds/rows/build-kind.ts'
import { buildView } from '../builds/rows/build-rows.ts'
import { dialogKind } from '../dialogs/rows/dialog-kind.ts'
import {
  approvalRowView,
  builderView,
  dialogView,
  failureView,
  grantView,
  peerView,
  questionView,
  sideView,
} from '../dialogs/rows/dialog-rows.ts'
import { limitView } from '../dialogs/rows/budget-rows.ts'
import { budgetView } from '../dialogs/rules/budget-scopes.ts'
import { addressedView, ownBuildView, ownDialogView } from '../dialogs/rows/own-rows.ts'
import { accountKind } from '../worlds/host/account-kind.ts'
import { conversationKind } from '../worlds/host/conversation-kind.ts'
import { hostViews } from '../worlds/host/host-rows.ts'
import { worldKind } from '../worlds/host/world-kind.ts'
import { memberViews } from '../worlds/member/member-rows.ts'
import { reportKind } from '../worlds/member/report-kind.ts'
import { accountStream, conversationStream, reportStream, worldStream } from '../worlds/rules/streams.ts'
import type { Store, ViewRow } from '../ports/store.ts'
import { type FoldedKind, foldedKind, foldRows } from '../store/rebuild.ts'

/** Views whose every row follows from the log. */
export const foldedViews: readonly string[] = [
  dialogView,
  builderView,
  peerView,
  sideView,
  questionView,
  limitView,
  failureView,
  grantView,
  approvalRowView,
  ownDialogView,
  ownBuildView,
  addressedView,
  buildView,
  ...Object.values(deliveryViews),
  ...Object.values(inboundViews),
  documentView,
  ...Object.values(hostViews),
  memberViews.report,
]

/**
 * Views that do not follow from events: the progress of announcements, marks and sums of budgets, signed-in browsers, notices that were printed once. A
 * rebuild leaves them alone. Without the first, announcements start again from the beginning of a dialog under the same
 * names, so that nothing is sent twice.
 */
export const bookkeepingViews: readonly string[] = [
  ...Object.values(announceViews),
  runningView,
  budgetView,
  sessionView,
  ...Object.values(noticeViews),
  upgradeView,
  memberViews.channel,
  memberViews.told,
  memberViews.waiting,
]

const startsWith =
  (prefix: string) =>
  (stream: string): boolean =>
    stream.startsWith(prefix)

/** Every kind of stream whose rows follow from its events. */
export const foldedKinds: readonly (() => FoldedKind)[] = [
  foldedKind(startsWith('dlg_'), dialogKind),
  foldedKind(isBuildStream, buildKind),
  foldedKind(startsWith(deliveryStream('')), deliveryKind),
  foldedKind(startsWith(bindingStream('', '').slice(0, -1)), bindingKind),
  foldedKind(startsWith(documentStream('', '').slice(0, -1)), documentKind),
  foldedKind(startsWith(accountStream('')), accountKind),
  foldedKind(startsWith(worldStream('')), worldKind),
  foldedKind(startsWith(conversationStream('')), conversationKind),
  foldedKind(startsWith(reportStream('', '').slice(0, -1)), reportKind),
]

export const foldViews = (store: Store): Promise<Map<string, ViewRow>> => foldRows(store, foldedKinds)
