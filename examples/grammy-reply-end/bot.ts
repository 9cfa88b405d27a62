/**
 * A grammY bot with reply-end controls: every reply ends with Continue / Stop here, and the choice changes the next turn.
 * It needs TELEGRAM_TOKEN and END_KEY; TELEGRAM_API is the address of a local Bot API server or of the emulator.
 */
import { Bot, type Context } from 'grammy'
// Inside this repository; your program imports it from 'parley-reply-end'.
import { type EndControlsFlavor, fileEndStorage, replyEndControls } from '../../packages/reply-end/src/index.ts'

const {
  TELEGRAM_TOKEN: token = '',
  END_KEY: key = '',
  TELEGRAM_API: apiRoot = 'https://api.telegram.org',
  END_FILE: file = 'reply-ends.jsonl',
} = process.env
const bot = new Bot<Context & EndControlsFlavor>(token, { client: { apiRoot } })

const ends = replyEndControls<Context & EndControlsFlavor>({
  bot,
  key,
  storage: await fileEndStorage(file),
  groups: 'asker',
  onEndChoice: ({ conversation, choice, by }) => console.log(`choice ${conversation} ${choice} ${by}`),
  log: (message, fields) => console.log('log', message, JSON.stringify(fields ?? {})),
})
bot.use(ends)

// This handler stands in for a model and applies the prompt line itself, so that the effect is visible: a closed reply gets no follow-up.
bot.on('message:text', async (ctx) => {
  const { promptLine, followUpsAllowed } = ctx.endControls.policy
  await ctx.reply(`You said: ${ctx.message.text}`)
  await ctx.reply(
    `${promptLine === null ? 'Done.' : `Done (told: ${promptLine})`}${followUpsAllowed ? ' Shall I also write it down?' : ''}`,
  )
})
bot.on('callback_query:data', (ctx) => ctx.answerCallbackQuery({ text: 'not one of the two' }))

await ends.controls.sweep()
await bot.start({ onStart: () => console.log('started') })
