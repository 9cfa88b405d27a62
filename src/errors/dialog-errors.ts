import type { ErrorRows } from './error-rows.ts'

/** Rules of a dialog and of a build. */
export const dialogErrors = {
  // Rules of a dialog.
  empty_text: ['refused', 400, '{field} is empty.', 'Write at least one character.'],
  already_answered: [
    'refused',
    409,
    'This question was already answered by {by} ({at}).',
    'Nothing was changed. The accepted answer is shown with the question.',
  ],
  answer_taken: [
    'refused',
    409,
    'The answer to this question can no longer be withdrawn.',
    'Nothing was changed. Send a message to the agent instead.',
  ],
  answer_not_given: ['refused', 409, 'This question has no answer that could be withdrawn.', 'Nothing was changed. The question is open.'],
  answer_of_another: ['refused', 403, '{by} gave this answer.', 'Only the person who answered can withdraw the answer.'],
  question_closed: [
    'refused',
    409,
    'This question is no longer open: it was {outcome} ({at}).',
    'Nothing was changed. Send a message instead.',
  ],
  answer_missing: [
    'refused',
    400,
    'There is no answer for "{item}".',
    'Answer every part by its id. List the ids: parley inbox list, or parley builds show ID',
  ],
  answer_unknown: [
    'refused',
    400,
    'The question has no part called "{item}".',
    'Use the ids of the question: parley inbox list --json, or parley builds show ID',
  ],
  not_a_choice: ['refused', 400, '"{value}" is not one of the choices for "{item}": {choices}.', 'Send the value of one of the choices.'],
  bad_answer: ['refused', 400, '"{value}" does not fit "{item}".', '{expected}'],
  dialog_retired: [
    'refused',
    410,
    'This dialog was retired: its events are in a file and no longer in the store.',
    'Read it: parley store restore {root} --print. Bring it back, with the servers stopped: parley store restore {root}',
  ],
  dialog_unfinished: [
    'refused',
    409,
    'This dialog is not finished, or it went on meanwhile.',
    'No action is needed: it is retired once it has rested for long enough.',
  ],
  nothing_to_stop: ['refused', 409, 'Nothing is running in this dialog or below it.', 'No action is needed.'],
  stopped_above: [
    'refused',
    409,
    'This dialog is stopped because {by} stopped the dialog {above} it belongs to.',
    'Continue that one: parley dialogs continue {above}',
  ],
  all_stopped: [
    'refused',
    409,
    'All work was stopped by {by} ({at}).',
    'Resume all first: parley dialogs continue --all, or "Resume all" on the page.',
  ],
  dialog_stopped: [
    'refused',
    409,
    'The dialog was stopped by {by} before the agent replied.',
    'Continue it: parley dialogs continue {dialog}',
  ],
  no_pushes: [
    'refused',
    409,
    'This dialog has no pushes.',
    'Set `diligence-push-max` of its member in parley.yaml. Without it, only a root dialog with a task document has pushes (3).',
  ],
  nothing_to_continue: ['refused', 409, 'This dialog is not stopped or failed.', 'Send a message to it instead.'],
  too_many_waiting: ['refused', 429, '{count} messages are already waiting for this agent.', 'Wait until it has read them, or stop it.'],
  bad_question: [
    'refused',
    400,
    'The question is not well formed: {why}.',
    'A question has 1 to {items} parts; a choice has 2 to {options} options with different values.',
  ],
  turn_over: ['refused', 409, 'This turn has already ended.', 'No action is needed: another process finished the work.'],
  busy: ['failed', 503, 'Other requests kept changing this at the same time.', 'Try again.'],
  server_full: [
    'failed',
    503,
    'The server has reached its limit of {what}.',
    'Try again in {seconds} s. If this lasts, raise the limits of connections in parley.yaml.',
  ],
  shutting_down: ['failed', 503, 'The server is stopping.', 'Try again when it is back.'],

  // Rules of a build.
  build_not_found: [
    'refused',
    404,
    'There is no build {build}.',
    'List the builds: parley builds list. Start one: parley builds start TEXT',
  ],
  build_exists: ['refused', 409, 'The build {build} already exists.', 'Follow its events, or start another one.'],
  build_not_retriable: [
    'refused',
    409,
    'Only a build that failed or was cancelled can be retried; this one is {status}.',
    'Ask for a change with parley builds say ID TEXT, or follow it with parley builds show ID --follow.',
  ],
  build_rounds_spent: ['refused', 409, 'This build has reached its limit of {limit} rounds.', 'Start another build.'],
  build_over: ['refused', 409, 'This build has already ended.', 'Nothing was changed. Ask for a change with parley builds say ID TEXT.'],
  no_question_open: ['refused', 409, 'This build has no open question.', 'Nothing was changed. See its progress: parley builds show ID'],
  wrong_answer_kind: [
    'refused',
    400,
    'The open question is {asked}, but the answer is for {given}.',
    'Answer one question with its id; answer a set with an answer for each of its ids.',
  ],
  resume_needed: [
    'refused',
    409,
    'This build waits for an answer to: {questions}.',
    'Send each answer as an entry of "resume"; other messages are not read until then.',
  ],
  bad_turn_message: [
    'refused',
    400,
    'The message to the agent is not valid ({rule}): {why}.',
    'Send each header line once, with the ids of this build and a type that fits the open question.',
  ],
  build_rules_broken: [
    'failed',
    502,
    'The agent broke a rule of builds again after a correction ({rule}): {why}.',
    'Try the build again. Check what the agent sends: parley builds check events.jsonl',
  ],
} as const satisfies ErrorRows
