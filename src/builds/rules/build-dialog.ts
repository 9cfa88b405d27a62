/** The dialog in which the agent of a build works with tools, and the build a dialog belongs to. */
export const dialogOfBuild = (build: string): string => `dlg_${build}`
export const buildOfDialog = (dialog: string): string => dialog.replace(/^dlg_/, '')

const builderPrefix = 'build:'

/** The agent of a build's dialog. No name of a member has a colon in it. */
export const builderName = (agent: string): string => `${builderPrefix}${agent}`

/** The member of the team behind the agent of a dialog, whether or not the dialog belongs to a build. */
export const agentOfBuilder = (agent: string): string => (isBuilderName(agent) ? agent.slice(builderPrefix.length) : agent)

export const isBuilderName = (agent: string): boolean => agent.startsWith(builderPrefix)

/** The stream of a build is named by its UUID alone; every other stream begins with its kind. */
export const isBuildId = (stream: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(stream)

export const isOfBuild = (dialog: string): boolean => dialog.startsWith('dlg_') && isBuildId(buildOfDialog(dialog))
