export { AttachmentList } from './attachment-list.tsx'
export { MessageFiles } from './message-files.tsx'
