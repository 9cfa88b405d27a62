import type { AuthorityWords } from '../../authority/authority-words.ts'
import { approvalFacts } from './approval-facts.ts'
import { shown } from './page-shown.ts'

export const authority: AuthorityWords = {
  title: {
    run: 'Allow {agent} to run this command?',
    write: 'Allow {agent} to change {path}?',
    message: 'Allow {agent} to send this message to {target}?',
    tool: 'Allow {agent} to use {tool} ({server})?',
    batch: '{agent} needs {n} approvals',
  },
  roles: approvalFacts.roles,
  actions: {
    once: 'Allow once',
    chat: 'Allow in this chat',
    always: 'Always allow…',
    deny: 'Deny',
    denyWithNote: 'Deny with a note',
  },
  status: {
    requester: 'Waiting for {name} to approve.',
    refused: 'Only {name} can decide this.',
    late: '{name} already decided: {decision}.',
    stopped: 'No longer needed: the turn was stopped.',
    changed: '{tool} has changed. Please decide again.',
    keys: '{k} of {n} approvals: {names}',
  },
  shown,
  explain: {
    subjects: 'Subjects',
    rules: 'Rules and grants',
    decision: 'Decision',
    none: 'none',
    line: 'line {line}',
    allow: 'allow',
    ask: 'ask',
    deny: 'deny',
    once: 'once or deny only',
  },
}
