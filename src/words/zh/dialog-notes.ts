import type { DialogNotes } from '../en/dialog-notes.ts'

export const dialogNotes: DialogNotes = {
  'dialog.titled': ({ title }) => `标题：${title}`,
  'dialog.pinned': ({ isPinned }, by) => `${by} ${isPinned ? '置顶了' : '取消置顶'}此对话`,
  'dialog.archived': ({ isArchived }, by) => `${by} ${isArchived ? '归档了此对话' : '把此对话移出了归档'}`,
  'dialog.trusted': (_data, by) => `${by} 信任到目前为止的内容`,
  'dialog.retired': ({ root, events }) =>
    `已归入文件：${events} 个事件已移出存储。要取回，请停止服务器后运行：parley store restore ${root}`,
  'dialog.restored': () => '已从文件取回',
  'dialog.deleted': (_data, by) => `${by} 删除了此对话`,
  'model.chosen': ({ model }, by) => (model === null ? `${by} 选回了常用模型` : `${by} 选择了模型 ${model}`),
  'taskdoc.changed': ({ section }, by) => `${by} 修改了任务文档的“${section}”`,
  'pushes.changed': ({ change }, by) => `${by} ${change === 'refill' ? '补满了催促次数' : change === 'off' ? '关闭了催促' : '开启了催促'}`,
}
