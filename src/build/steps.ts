/** The seven steps every build goes through. Ids, titles and descriptions are protocol constants, apostrophes included. */
export const stepIds = ['build_record', 'parse', 'research', 'design', 'assemble', 'validate', 'finalize'] as const

export type StepId = (typeof stepIds)[number]

export type Locale = 'en' | 'zh'

export const locales: readonly Locale[] = ['en', 'zh']

export type Step = { id: StepId; title: string; description: string; index: number; total: number }

type StepWords = { title: string; description: string }

const dictionary: Record<Locale, Record<StepId, StepWords>> = {
  en: {
    build_record: { title: 'Starting your build', description: 'I’m setting up your build session.' },
    parse: { title: 'Understanding your request', description: 'I’m reading your request and mapping the plan.' },
    research: { title: 'Gathering what we need', description: 'I’m collecting the tools and references for your build.' },
    design: { title: 'Planning your agent', description: 'I’m creating the build plan for your agent.' },
    assemble: { title: 'Building your agent', description: 'I’m assembling the pieces now.' },
    validate: { title: 'Testing everything', description: 'I’m running checks to make sure everything works.' },
    finalize: { title: 'Finalizing', description: 'I’m wrapping up and preparing your result.' },
  },
  zh: {
    build_record: { title: '正在启动您的构建', description: '我正在为您准备这次构建。' },
    parse: { title: '正在理解您的请求', description: '我正在阅读您的请求并梳理计划。' },
    research: { title: '正在收集所需内容', description: '我正在收集构建所需的工具和资料。' },
    design: { title: '正在规划您的代理', description: '我正在为您的代理制定构建计划。' },
    assemble: { title: '正在构建您的代理', description: '我正在把各个部分组装起来。' },
    validate: { title: '正在测试一切', description: '我正在逐项检查，确保一切正常。' },
    finalize: { title: '正在收尾', description: '我正在收尾并准备您的结果。' },
  },
}

export const isStepId = (id: unknown): id is StepId => (stepIds as readonly unknown[]).includes(id)

export function stepOf(id: StepId, locale: Locale): Step {
  return { id, ...dictionary[locale][id], index: stepIds.indexOf(id) + 1, total: stepIds.length }
}

export const stepsIn = (locale: Locale): Step[] => stepIds.map((id) => stepOf(id, locale))

/** Whether these are the words of the dictionary, in any of its languages. */
export const isStepWording = (id: StepId, title: string, description: string): boolean =>
  locales.some((locale) => dictionary[locale][id].title === title && dictionary[locale][id].description === description)

/** Every title and description of one step, in all languages. */
export const wordsOfStep = (id: StepId): string[] =>
  locales.flatMap((locale) => [dictionary[locale][id].title, dictionary[locale][id].description])
