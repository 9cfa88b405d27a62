import type { PageNoticeWords } from '../en/page-notices.ts'

export const pageNotices: PageNoticeWords = {
  title: '通知',
  about: '关闭本页后，问题、审批和构建仍会通知您。',
  here: '通知此浏览器',
  shows: '锁屏时显示',
  words: '显示问题内容',
  nothing: '只提示有事待处理',
  quiet: '免打扰时段',
  quietFrom: '免打扰开始',
  quietTo: '免打扰结束',
  test: '发送测试通知',
  tested: '已发送，稍后就会显示。',
  failed: (why: string, when: string) => `上一条通知没有送达（${why}，${when}）。Parley 会重试。`,
  dropped: '此浏览器的推送服务已取消订阅。请重新开启通知。',
  said: '此浏览器不允许这里的通知。请在浏览器设置中允许，然后重新开启。',
  noService: '无法连接此浏览器的推送服务。请检查这台设备的网络，然后重新开启通知。',
  obstacles: {
    insecure: '只有通过 HTTPS，或在运行 Parley 的机器上，浏览器才会显示通知。',
    'home-screen': '在 iPhone 或 iPad 上，请先把 Parley 添加到主屏幕，再从主屏幕打开。',
    unsupported: '此浏览器不支持网页通知。',
    denied: '此浏览器不允许这里的通知。请在浏览器设置中允许。',
  },
}
