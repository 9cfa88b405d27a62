import assert from 'node:assert/strict'
import { type ChannelConfig, channelsSchema } from '../../app/config/channels-schema.ts'

/** An account as parley.yaml would give it. */
export function accountConfig(entry: object, name = 'fake'): ChannelConfig {
  return channelsSchema.parse({ [name]: entry })[name] ?? assert.fail(`${name} is missing`)
}
