import { createContext } from 'react'

/** The id of the dialog that a part of the page shows. */
export const DialogContext = createContext('')
