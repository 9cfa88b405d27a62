// Loaded when something is offered: the first load carries neither these parts nor their words.
export { AnswerOffer } from './answer-offer.tsx'
export { DialogMenu } from './dialog-menu.tsx'
export { EditMessage } from './edit-message.tsx'
export { FailureRow } from './failure-row.tsx'
export { FreshStart } from './fresh-start.tsx'
export { GiveUp } from './give-up.tsx'
export { PushesLeft } from './pushes-left.tsx'
