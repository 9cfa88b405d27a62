export type KickoffStatus = 'queued' | 'sent' | 'established' | 'failed' | 'skipped'

export type KickoffReason =
  | 'queued_sender_offline'
  | 'queued_expired'
  | 'accepted_chat_kickoff_failed'
  | 'sender_declined_to_open'
  | 'sender_budget_spent'

/** Progress of the opener after a request was accepted. Field names are those of the wire. */
export type Kickoff = {
  status: KickoffStatus
  reason: KickoffReason | null
  turnId: string | null
  deliveryId: string | null
  conversationKey: string
  localSessionKey: string
  senderKickoffDeliveredAt: number | null
  openerAcceptedAt: number | null
  openerDeliveredAt: number | null
  liveChatEstablishedAt: number | null
  openerTurnId: string | null
  openerDeliveryId: string | null
  failedAt: number | null
}

/** Proof that the opener arrived beats what the status says. Applied whenever a record is read. */
export function normaliseKickoff(record: Kickoff): Kickoff {
  const isProven = record.openerDeliveredAt !== null || record.liveChatEstablishedAt !== null
  const isPromoted = isProven && (record.status === 'queued' || record.status === 'sent')
  const status = isPromoted ? 'established' : record.status
  const isQueueReason = record.reason?.startsWith('queued_') ?? false
  return {
    ...record,
    status,
    reason: status === 'established' && isQueueReason ? null : record.reason,
    liveChatEstablishedAt:
      status === 'established'
        ? (record.liveChatEstablishedAt ?? record.openerDeliveredAt ?? record.openerAcceptedAt)
        : record.liveChatEstablishedAt,
  }
}

export const kickoffNextActions: Readonly<Record<KickoffStatus, string>> = {
  established: 'runtime_owns_live_conversation',
  sent: 'wait_for_sender_opener_delivery',
  queued: 'wait_for_sender_runtime_availability',
  failed: 'backend_kickoff_failed',
  skipped: 'chat_request_accepted_without_opening_message',
}
