// Loaded when something is offered: the first load carries neither these parts nor their words.
export { AnswerOffer } from './answer-offer.tsx'
export { FailureRow } from './failure-row.tsx'
