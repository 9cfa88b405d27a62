// Loaded when a task document is opened or chosen.
export { ChooseTaskdoc } from './choose-taskdoc.tsx'
export { TaskdocPane } from './taskdoc-pane.tsx'
