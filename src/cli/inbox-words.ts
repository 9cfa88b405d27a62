import type { BuildSummary } from '../client/builds.ts'
import type { DeliveryView, FailureView, InboxItem, PairingView, UnclaimedView } from '../shapes/wire.ts'
import { age } from './age.ts'
import { openBuildQuestionLines } from './build-lines.ts'
import { approvalInList, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { asTypedHere, commandName } from './command-name.ts'
import { deliveryOutcome, nextStep, describeWhere } from './delivery-words.ts'
import { labelled } from './labelled.ts'
import { oneLine, plainText } from './plain-text.ts'
import { questionWithCommands, quoted } from './question-words.ts'
import { chatRequestLines } from './world-words.ts'
import type { Paint } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

/** The same for the same thing, however often it is listed. */
export function inboxKey(item: InboxItem): string {
  switch (item.kind) {
    case 'question':
      return item.question.id
    case 'failure':
      return `failure ${item.failure.dialog} ${item.failure.at}`
    case 'build':
      // Answered and asked again is news.
      return `build ${item.build.build_id} ${item.build.question?.id ?? ''}`
    case 'chat-request':
      return `chat-request ${item.account} ${item.request.request}`
    case 'pairing':
      return `pairing ${describeWhere(item.pairing)} ${item.pairing.pairing?.code ?? ''}`
    case 'unclaimed':
      return `unclaimed ${item.unclaimed.id}`
    case 'delivery':
      // Stuck, tried again and stuck once more is news.
      return `delivery ${item.delivery.id} ${item.delivery.state} ${item.delivery.tries}`
  }
}

/** Name of an unclaimed message: chat apps make the ids, so the account is part of it. */
export const unclaimedName = ({ channel, id }: Pick<UnclaimedView, 'channel' | 'id'>): string => `${channel}/${id}`

/** One thing that waits, and the command that deals with it. */
export function inboxLines(item: InboxItem, words: TerminalWords, paint: Paint): string[] {
  switch (item.kind) {
    case 'question': {
      const { question } = item
      const from = `${oneLine(question.dialogTitle)} · ${question.dialog} · ${age(question.askedAt, words)}`
      const head = `${paint.bold(question.id)}  ${paint.dim(from)}`
      if (hasApproval(question)) return [head, ...approvalInList(question, words, paint)]
      if (isApproval(question)) return [head, `  ${waitingLine(question, words)}`]
      return [head, ...questionWithCommands(question, words, paint)]
    }
    case 'failure':
      return failureLines(item.failure, words, paint)
    case 'build':
      return waitingLines(item.build, words, paint)
    case 'chat-request':
      return chatRequestLines({ ...item.request, account: item.account }, words, paint)
    case 'pairing':
      return pairingLines(item.pairing, words, paint)
    case 'unclaimed': {
      const { from, channel, address, text, why, at } = item.unclaimed
      const where = describeWhere({ channel, address })
      return [
        `${paint.bold(words.messages.unclaimed(oneLine(from.name), channel))}  ${paint.dim(`${where} · ${age(at, words)} · ${oneLine(why)}`)}`,
        ...plainText(text)
          .split('\n')
          .map((line) => `  ${line}`),
        `  ${labelled(words.messages.answerThere, paint.cyan(`${commandName} message send -t ${quoted(where)} --message '…'`))}`,
        `  ${labelled(words.messages.orDismiss, paint.dim(`${commandName} inbox dismiss ${quoted(oneLine(unclaimedName(item.unclaimed)))}`))}`,
      ]
    }
    case 'delivery':
      return stuckLines(item.delivery, words, paint)
  }
}

function failureLines({ dialog, title, agent, error, at, canRetry, isTold }: FailureView, words: TerminalWords, paint: Paint): string[] {
  const notice = isTold ? ` · ${words.failures.isTold}` : ''
  return [
    `${paint.bold(dialog)}  ${paint.dim(`@${oneLine(agent)} · ${oneLine(title)} · ${age(at, words)}${notice}`)}`,
    `${paint.red('!')} ${oneLine(error.message)}`,
    ...(canRetry ? [`  ${labelled(words.failures.retry, paint.cyan(`${commandName} dialogs continue ${dialog}`))}`] : []),
    `  ${labelled(words.failures.giveUp, paint.dim(`${commandName} dialogs give-up ${dialog}`))}`,
    `  ${labelled(words.failures.open, paint.dim(`${commandName} dialogs show ${dialog}`))}`,
  ]
}

function waitingLines({ build_id: build, agent, prompt, question, updatedAt }: BuildSummary, words: TerminalWords, paint: Paint): string[] {
  const { id = '', prompt: text = words.builds.status.waiting, isSet = false, questions = [] } = question ?? {}
  return [
    `${paint.bold(build)}  ${paint.dim(`${words.build}${words.colon}${oneLine(prompt).slice(0, 80)} · ${age(updatedAt, words)}`)}`,
    ...openBuildQuestionLines(build, agent, { id, prompt: text, isSet, questions }, words, paint),
    `  ${labelled(words.builds.orStop, paint.dim(`${commandName} builds cancel ${build}`))}`,
  ]
}

export function pairingLines(one: PairingView, words: TerminalWords, paint: Paint): string[] {
  const where = describeWhere(one)
  const { pairing } = one
  if (!pairing) return [`${paint.bold(where)}  ${paint.dim(words.messages.pairingStates[one.state])}`]
  return [
    `${paint.bold(words.messages.requestToWrite(oneLine(pairing.from.name), one.channel))}  ${paint.dim(`${where} · ${age(pairing.requestedAt, words)}`)}`,
    ...(pairing.text.trim() === '' ? [] : [`  ${words.messages.firstWords(oneLine(pairing.text).slice(0, 200))}`]),
    `  ${words.messages.sayCode(oneLine(pairing.code))}`,
    `  ${labelled(words.messages.acceptWith, paint.cyan(`${commandName} requests accept ${oneLine(pairing.code)}`))}`,
    `  ${labelled(words.orDecline, paint.dim(`${commandName} requests decline ${oneLine(pairing.code)}`))}`,
    `  ${labelled(words.messages.orBlock, paint.dim(`${commandName} requests block ${quoted(where)}`))}`,
  ]
}

const stuckLines = (one: DeliveryView, words: TerminalWords, paint: Paint): string[] => [
  `${paint.bold(one.id)}  ${paint.dim(`${words.messages.undelivered(describeWhere(one))} · ${age(one.plannedAt, words)}`)}`,
  `  ${deliveryOutcome(one, words)}`,
  ...(one.error ? [`  ${oneLine(one.error.message)}`] : []),
  `  ${paint.dim(oneLine(one.text).slice(0, 200))}`,
  `  ${paint.cyan(asTypedHere(nextStep(one, words) ?? ''))}`,
  ...(one.state === 'unknown' ? [`  ${labelled(words.messages.orConfirm, paint.dim(`${commandName} deliveries confirm ${one.id}`))}`] : []),
  `  ${labelled(words.messages.orDismiss, paint.dim(`${commandName} deliveries dismiss ${one.id}`))}`,
]
