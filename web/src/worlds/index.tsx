export { RequestCard } from './request-card.tsx'
export { TalkPage } from './talk-page.tsx'
export { WorldPage } from './world-page.tsx'
export { WorldsPage } from './worlds-page.tsx'
