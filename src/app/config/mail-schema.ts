import { z } from 'zod'
import { languageCodes } from '../../shapes/language.ts'

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 22:00')
const address = z.email().max(254)

/** E-mail to people about questions, approvals and builds. */
export const mailSchema = z.strictObject({
  host: z.string().min(1).describe('SMTP server, such as smtp.example.org.'),
  port: z.int().min(1).max(65_535).default(465),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe('starttls is usual on port 587. none is for a server on this machine: nothing is encrypted, the password neither.'),
  user: z.string().min(1).optional(),
  password: z.string().min(1).optional().describe('Best given as ${SMTP_PASSWORD}.'),
  from: address.describe('Sender of the mails.'),
  to: z
    .record(z.string().min(1).max(64), address)
    .describe('Address of each person, by their key under people; `owner` while nobody is listed there.'),
  language: z.enum(languageCodes).default('en'),
  shows: z.enum(['words', 'nothing']).default('words').describe('nothing: mails say only that something waits.'),
  quiet: z.strictObject({ from: time, to: time }).optional().describe('No mail between these times of day; they come afterwards.'),
})
