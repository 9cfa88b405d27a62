import { Bot, InlineKeyboard } from 'grammy'
import { serve } from './contender.ts'
import { sinceMark } from './telegram-mark.ts'

/** A bot as grammY's own guide writes it: nothing is kept, a crash forgets what was going on. */
const [url = '', token = ''] = process.argv.slice(2)
const bot = new Bot(token, { client: { apiRoot: url } })
const choice = new InlineKeyboard()
for (const value of ['red', 'green', 'blue']) choice.text(value, `pick:${value}`)
bot.on('message:text', (ctx) =>
  ctx.message.text.startsWith('ask')
    ? ctx.reply('Which one shall it be?', { reply_markup: choice })
    : ctx.reply(`You said: ${ctx.message.text}`),
)
bot.callbackQuery(/^pick:(.*)$/, async (ctx) => {
  await ctx.answerCallbackQuery({ text: 'Seen' })
  await ctx.editMessageText(`Which one shall it be?\n✓ ${ctx.match[1]}`)
  await ctx.reply(`Then it is ${ctx.match[1]}.`)
})
bot.on('callback_query:data', (ctx) => ctx.answerCallbackQuery({ text: 'Seen' }))
void bot.start()

serve<{ mark: true } | { buttons: number[] }>(
  async (command): Promise<object> => {
    if ('mark' in command) return sinceMark()
    const keyboard = new InlineKeyboard().text('Tap', 'bench:1')
    for (const chat of command.buttons) await bot.api.sendMessage(chat, 'Here is a button', { reply_markup: keyboard })
    return {}
  },
  () => bot.stop(),
)
