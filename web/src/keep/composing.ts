import type { KeyboardEvent } from 'react'

/** Enter that only chooses a character. Safari ends the composition first and then reports key code 229. */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229
