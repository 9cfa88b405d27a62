/** Everything about approvals, loaded when the first one is shown. */
export { ApprovalCard } from './approval-card.tsx'
export { ApprovalRow } from './approval-row.tsx'
