import { Bot, InlineKeyboard } from 'grammy'
import { serve } from './contender.ts'
import { sinceMark } from './telegram-mark.ts'

/** A bot as grammY's own guide writes it: nothing is kept, a crash forgets what was going on. */
const [url = '', token = ''] = process.argv.slice(2)
const bot = new Bot(token, { client: { apiRoot: url } })
bot.on('message:text', (ctx) => ctx.reply(`You said: ${ctx.message.text}`))
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
