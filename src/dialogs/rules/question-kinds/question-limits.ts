export const questionLimits = { items: 20, options: 50, text: 4_000, value: 200, answer: 20_000 } as const
