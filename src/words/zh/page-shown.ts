import type { AuthorityWords } from '../../authority/authority-words.ts'

/** Facts beside what an approval shows, put into words by `factInWords`. */
export const shown: AuthorityWords['shown'] = {
  folder: '文件夹',
  network: '网络',
  noNetwork: '无',
  sandbox: '沙箱',
  sandboxOn: '已启用',
  sandboxOff: '已关闭：命令拥有服务器的全部权限',
  timeLimit: '时限',
  seconds: '{n} 秒',
  script: '脚本',
  realPath: '实际路径',
  fails: '目前无法执行',
  action: '操作',
  message: '消息',
  replyTo: '回复',
  media: '媒体',
  silent: '静音',
  yes: '是',
  differs: '显示有差异',
}
