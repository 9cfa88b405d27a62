import type { Plugin } from '../../src/index.ts'

/**
 * Outside office hours every agent is told so before it answers, and how many came in vain is counted. It also brings a
 * receptionist of its own. In a project of yours the import above reads `from 'parley-runtime'`.
 */
const officeHours: Plugin<{ opens: number; closes: number }> = {
  name: 'office-hours',
  version: '1.0.0',
  api: 1,
  about: 'Tells agents when the office is closed.',
  defaults: { opens: 9, closes: 17 },

  checkConfig({ opens, closes }) {
    const isHour = (hour: unknown): hour is number => Number.isInteger(hour) && Number(hour) >= 0 && Number(hour) <= 24
    return isHour(opens) && isHour(closes) ? { config: { opens, closes } } : { fault: 'opens and closes: whole hours from 0 to 24' }
  },

  setUp(host, { opens, closes }) {
    const isOpen = (): boolean => {
      const hour = new Date(host.clock.now()).getHours()
      return hour >= opens && hour < closes
    }

    /** Asked again for the same turn, it is still one visitor. */
    async function count(visit: string): Promise<number> {
      for (;;) {
        const { value, rev } = (await host.storage.get('visits')) ?? { value: [], rev: 0 }
        const visits = value as string[]
        if (visits.includes(visit)) return visits.length
        if (await host.storage.put('visits', [...visits, visit].slice(-1_000), rev)) return visits.length + 1
      }
    }

    return {
      async turnNotes({ dialog, turn }) {
        if (isOpen()) return null
        const visits = await count(`${dialog}:${turn}`)
        return { lines: [`The office is closed (open from ${opens} to ${closes}). Visitor number ${visits}.`], followUps: 'suppressed' }
      },
      agents: [
        {
          name: 'receptionist',
          about: 'Says what it knows.',
          runtime: {
            async *generate({ notes }) {
              yield { type: 'text', text: notes?.lines.join(' ') ?? 'Welcome, come in.' }
            },
          },
        },
      ],
    }
  },
}

export default officeHours
