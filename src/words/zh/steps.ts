import type { StepTexts } from '../../builds/rules/steps.ts'

export const steps: StepTexts = {
  build_record: { title: '正在启动您的构建', description: '我正在设置您的构建会话。' },
  parse: { title: '正在理解您的请求', description: '我正在阅读您的请求并规划方案。' },
  research: { title: '正在收集所需内容', description: '我正在为您的构建收集工具和参考资料。' },
  design: { title: '正在规划您的代理', description: '我正在为您的代理创建构建计划。' },
  assemble: { title: '正在构建您的代理', description: '我正在组装各个部分。' },
  validate: { title: '正在测试一切', description: '我正在运行检查以确保一切正常。' },
  finalize: { title: '正在收尾', description: '我正在完成并准备您的结果。' },
}
