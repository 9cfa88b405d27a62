import type { BuildTexts } from '../../builds/rules/words/build-texts.ts'

export const builds: BuildTexts = {
  reassurances: [
    '仍在进行中，感谢您的耐心等待。',
    '这部分需要多一点时间，我还在继续。',
    '还需要一些时间，一有消息我就告诉您。',
    '我还在这里，正在继续。',
  ],
  failures: {
    rules: '这次构建没能完成：我没跟上进度，也没能恢复过来。请再试一次。',
    stopped: '这次构建没能完成，因为我意外中断了。请再试一次。',
    slow: '我没能在规定时间内完成这次构建。请再试一次，也可以先把请求缩小一些。',
    flooded: '这次构建没能完成，因为内容远比预期的多。请把请求缩小一些再试一次。',
    absent: '我暂时无法进行构建。请稍后再试。',
    cancelled: '已按您的要求停止这次构建。',
    budget: '这次构建没能完成，因为预算已经用完。请在预算增加后再试一次。',
    other: '这次构建没能完成，因为我这边出了问题。请再试一次。',
  },
  manyQuestions: '确认几个细节后，我就可以继续。',
  summaries: { complete: '您的构建已完成。', failed: '这次构建没能完成。请再试一次。' },
}
