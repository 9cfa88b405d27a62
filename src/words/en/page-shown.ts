import type { AuthorityWords } from '../../authority/authority-words.ts'

/** Facts beside what an approval shows, put into words by `factInWords`. */
export const shown: AuthorityWords['shown'] = {
  folder: 'Folder',
  network: 'Network',
  noNetwork: 'none',
  sandbox: 'Sandbox',
  sandboxOn: 'on',
  sandboxOff: 'off: the command has all rights of the server',
  timeLimit: 'Time limit',
  seconds: '{n} s',
  script: 'Script',
  realPath: 'Leads to',
  fails: 'Cannot be done now',
  action: 'Action',
  message: 'Message',
  replyTo: 'Reply to',
  media: 'Media',
  silent: 'Silent',
  yes: 'yes',
  differs: 'Shown differently',
}
