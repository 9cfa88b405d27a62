/** Everything about builds, loaded on demand. */
export { BuildColumn } from './build-column.tsx'
export { BuildPage } from './build-page.tsx'
export { BuildsPage } from './builds-page.tsx'
