import { z } from 'zod'
import { type ItemField, questionKinds, type QuestionItem } from '../../dialogs/rules/question.ts'

const option = z.object({ value: z.string(), label: z.string(), hint: z.string().exactOptional() })

const types = {
  string: () => z.string(),
  number: () => z.number(),
  integer: () => z.int(),
  boolean: () => z.boolean(),
  options: () => z.array(option),
} satisfies Record<ItemField['type'], () => z.ZodType>

const forField = ({ type, isRequired, about }: ItemField): z.ZodType =>
  (isRequired ? types[type]() : types[type]().exactOptional()).describe(about)

/** An item of a question, of any kind. */
export const questionItem = z.discriminatedUnion(
  'kind',
  Object.entries(questionKinds).map(([kind, { fields }]) =>
    z.object({
      id: z.string(),
      text: z.string(),
      kind: z.literal(kind),
      ...Object.fromEntries(Object.entries<ItemField>(fields).map(([name, field]) => [name, forField(field)])),
    }),
  ) as unknown as [z.ZodObject<{ kind: z.ZodLiteral<string> }>],
) as unknown as z.ZodType<QuestionItem>
