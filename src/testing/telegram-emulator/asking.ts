import type { Call, Method } from './desk.ts'
import type { Topic } from './chats.ts'
import { asText } from './request-body.ts'
import { badRequest } from './telegram-fault.ts'

function getTopic({ desk, params }: Call): Topic {
  const topic = desk.chats.find(params.chat_id).topics.get(Number(params.message_thread_id))
  if (!topic) throw badRequest('message thread not found')
  return topic
}

const setClosed =
  (closed: boolean): Method =>
  (call) => {
    getTopic(call).closed = closed
    return true
  }

/** Everything that is not about a message: who am I, what is new, where am I, topics, commands. */
export const asking: Record<string, Method> = {
  getMe: ({ desk }) => ({
    ...desk.me,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    has_main_web_app: false,
  }),
  getUpdates: ({ desk, params, closed }) => desk.updates.getUpdates(params, closed),
  setWebhook: ({ desk, params }) => desk.updates.setWebhook(params),
  deleteWebhook: ({ desk, params }) => desk.updates.setWebhook({ ...params, url: '' }),
  getWebhookInfo: ({ desk }) => desk.updates.webhookInfo(),
  getFile: ({ desk, params }) => desk.files.getFile(params),
  getChat: ({ desk, params }) => {
    const chat = desk.chats.find(params.chat_id)
    const pinned = chat.messages.get(chat.pins.at(-1)?.message ?? -1)
    return { ...chat.info, accent_color_id: 0, max_reaction_count: 11, ...(pinned && { pinned_message: pinned }) }
  },
  getChatMember: ({ desk, params }) => {
    const chat = desk.chats.find(params.chat_id)
    const person = desk.chats.getPerson(Number(params.user_id))
    if (!person) throw badRequest('user not found')
    const isMe = person.id === desk.me.id
    if (isMe) return { status: 'administrator', user: person, can_pin_messages: chat.canPin }
    return { status: chat.people.has(person.id) ? 'member' : 'left', user: person }
  },
  setMyCommands: ({ desk, params }) => {
    desk.commands = params.commands as unknown[]
    return true
  },
  deleteMyCommands: ({ desk }) => {
    desk.commands = []
    return true
  },
  getMyCommands: ({ desk }) => desk.commands,
  setChatMenuButton: () => true,
  logOut: () => true,
  close: () => true,
  createForumTopic: ({ desk, params }) => {
    const name = asText(params.name)
    return { message_thread_id: desk.chats.topic(desk.chats.writable(params.chat_id), name), name, icon_color: 7_322_096 }
  },
  editForumTopic: (call) => {
    const topic = getTopic(call)
    topic.name = asText(call.params.name) || topic.name
    return true
  },
  closeForumTopic: setClosed(true),
  reopenForumTopic: setClosed(false),
  deleteForumTopic: (call) => {
    getTopic(call)
    const chat = call.desk.chats.find(call.params.chat_id)
    chat.topics.delete(Number(call.params.message_thread_id))
    for (const [id, message] of chat.messages)
      if (message.message_thread_id === Number(call.params.message_thread_id)) chat.messages.delete(id)
    return true
  },
}
