import { createContext } from 'react'

/** The id of the dialog that a part of the page shows. */
export const DialogContext = createContext('')

/** Whether messages of this dialog can be branched: those of side dialogs cannot. */
export const BranchContext = createContext(false)
