/** A tool did not run. The message is the whole text that the model reads. */
export class ToolRefusal extends Error {}
