export { TalkPage } from './talk-page.tsx'
export { WaitingRequests } from './waiting-requests.tsx'
export { WorldsPage } from './worlds-page.tsx'
