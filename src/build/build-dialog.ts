/** The dialog in which the agent of a build works with tools, and the build a dialog belongs to. */
export const dialogOfBuild = (build: string): string => `dlg_${build}`
export const buildOfDialog = (dialog: string): string => dialog.replace(/^dlg_/, '')

export const isOfBuild = (dialog: string): boolean => dialog.startsWith(dialogOfBuild('bld_'))
