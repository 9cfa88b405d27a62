import type { ReactNode } from 'react'
import { client } from '../../link/page-client.ts'
import { Section } from '../section.tsx'
import { useWorldWords } from '../use-worlds.ts'
import { Bans } from './bans.tsx'
import { Broadcast } from './broadcast.tsx'
import { Invites } from './invites.tsx'
import { MemberReports } from './member-reports.tsx'
import { ModeratedMembers } from './moderated-members.tsx'
import type { Act, ModerationPage } from './part-props.ts'
import { WorldLog } from './world-log.tsx'
import { WorldSettings } from './world-settings.tsx'

type Props = { account: string; page: ModerationPage; refresh(): void }

/** The owner of a world acts on its members, answers their reports, and changes the world. Every act is in the log below. */
export function WorldModeration({ account, page, refresh }: Props): ReactNode {
  const words = useWorldWords()
  const send = (act: Act): Promise<unknown> => client.worlds.moderate(page.world.world, act, { account })
  const part = { page, send, refresh }
  return (
    <>
      <Section id="member-reports" title={words.memberReports}>
        <MemberReports {...part} />
      </Section>
      <Section id="all-members" title={words.moderateMembers}>
        <ModeratedMembers {...part} />
      </Section>
      <Section id="invites" title={words.invites}>
        <Invites {...part} />
      </Section>
      {page.bans.length > 0 && (
        <Section id="bans" title={words.bans}>
          <Bans {...part} />
        </Section>
      )}
      <Section id="broadcast" title={words.broadcast}>
        <Broadcast account={account} {...part} />
      </Section>
      <Section id="settings" title={words.worldSettings}>
        <WorldSettings {...part} />
      </Section>
      <Section id="log" title={words.log}>
        <WorldLog page={page} />
      </Section>
    </>
  )
}
