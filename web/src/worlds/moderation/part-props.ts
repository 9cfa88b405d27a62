import type { OperationInput, OperationResult } from '../../../../src/client/index.ts'

export type ModerationPage = OperationResult<'worlds.moderation'>
export type Act = OperationInput<'worlds.moderate'>['act']

/** One part of the page of a world's owner. */
export type PartProps = { page: ModerationPage; send(act: Act): Promise<unknown>; refresh(): void }
