import { findCommandName } from '../shapes/find-command-name.ts'
import { asTyped } from '../shapes/as-typed.ts'

/** The words that start this program where it was started. */
export const commandName: string = findCommandName(process.env)

/** A text with its commands as they are typed here. */
export const asTypedHere = (text: string): string => asTyped(text, commandName)
