export { RequestCard } from './request-card.tsx'
export { TalkPage } from './talk-page.tsx'
export { WorldsPage } from './worlds-page.tsx'
