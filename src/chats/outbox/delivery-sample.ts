import { type DeliveryState, initialDelivery } from './delivery-state.ts'

/** Every field with a value of its type: snapshots of another shape are ignored. */
export const deliverySample: DeliveryState = {
  ...initialDelivery,
  about: '',
  reply: { dialog: '', turn: 1 },
  shown: [{ messageId: '', sentAt: 0, hasControls: false, medium: '' }],
  plain: '',
  total: 1,
  unclear: [{ part: 0, covers: 1, hasControls: false, why: '' }],
  resend: [0],
  intended: {
    part: 0,
    revision: 0,
    key: '',
    at: 0,
    isRepeatable: false,
    keyUntil: 0,
    covers: 1,
    hasControls: false,
    medium: '',
    isDraft: false,
  },
  maybe: { keyUntil: 0, revision: 0 },
  why: '',
  losses: [{ what: '', from: '', to: '', why: '' }],
  pinned: [''],
  closedBy: { tap: '', token: '', name: '', at: 0 },
  toStrip: [''],
}
