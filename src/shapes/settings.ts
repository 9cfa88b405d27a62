import type { z } from 'zod'
import type * as schemas from './schemas/settings-responses.ts'

export type SettingsView = z.infer<typeof schemas.settings>
export type SettingsPreview = z.infer<typeof schemas.settingsPreview>
export type ModelCheckView = z.infer<typeof schemas.modelCheck>
export type ChannelCheckView = z.infer<typeof schemas.channelCheck>

export type SettingsChange = {
  /** Of the text the person has seen. */
  revision: string
  /** A value of null takes the setting out. */
  changes: readonly { path: readonly string[]; value?: unknown }[]
}

/** Settings of parley.yaml that the owner changes on the page. */
export type ServerSettings = {
  get(): Promise<SettingsView>
  /** The effect of a change on the file. Nothing is written. */
  preview(change: SettingsChange): Promise<SettingsPreview>
  /** Writes the file and applies it. Refused when it has changed since it was read. */
  change(change: SettingsChange): Promise<SettingsView>
  /** Stores a secret under the name of a variable. It is in no response. */
  keepSecret(name: string, value: string): Promise<SettingsView>
  testModel(name: string, signal: AbortSignal): Promise<ModelCheckView>
  checkChannel(name: string): Promise<ChannelCheckView>
}
