/** The dialog in which the agent of a build works with tools, and the build a dialog belongs to. */
export const dialogOfBuild = (build: string): string => `dlg_${build}`
export const buildOfDialog = (dialog: string): string => dialog.replace(/^dlg_/, '')

/** The stream of a build is named by its UUID alone; every other stream begins with its kind. */
export const isBuildId = (stream: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(stream)

export const isOfBuild = (dialog: string): boolean => dialog.startsWith('dlg_') && isBuildId(buildOfDialog(dialog))
