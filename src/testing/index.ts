/** For tests of what is built on Parley, and of stores and agents written elsewhere. */

// Time and chance under control
export { countedIds } from './counted-ids.ts'
export { type SimulatedClock, simulatedClock } from './simulated-clock.ts'

// Contracts: arrays of cases, to be run under any test runner
export { agentContract, type AgentSubject } from './agent-contract.ts'
export { channelContract, type ChannelSubject } from './channel-contract.ts'
export { deciderSpecification } from './decider-specification.ts'
export { storeContract, type StoreCase, type StoreSubject } from './store-contract.ts'

// Stores that die or count, and a team of one
export { countingStore } from './counting-store.ts'
export { crashingStore, type CrashPoint, SimulatedCrash } from './crashing-store.ts'
export { memoryBacking, type MemoryBacking } from '../store/memory/memory-backing.ts'
export { teamOf } from './team-of.ts'

// A model on the loopback that misbehaves on demand
export { modelEmulator } from './model-emulator.ts'

// Discord on the loopback
export { discordEmulator, type DiscordEmulator } from './discord-emulator/discord-emulator.ts'

// Feishu on the loopback
export { feishuEmulator, type FeishuEmulator } from './feishu-emulator/feishu-emulator.ts'

// LINE on the loopback
export { lineEmulator, type LineEmulator } from './line-emulator/line-emulator.ts'

// Mattermost on the loopback
export { mattermostEmulator, type MattermostEmulator } from './mattermost-emulator/mattermost-emulator.ts'

// Slack on the loopback
export { slackEmulator, type SlackEmulator } from './slack-emulator/slack-emulator.ts'

// Teams on the loopback
export { teamsEmulator, type TeamsEmulator } from './teams-emulator/teams-emulator.ts'

// Telegram on the loopback: chats, people and faults
export { telegramEmulator, type TelegramEmulator } from './telegram-emulator/telegram-emulator.ts'
export { telegramFaults } from './telegram-emulator/telegram-fault.ts'
