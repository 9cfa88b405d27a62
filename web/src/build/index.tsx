/** Everything about builds, loaded on demand. */
export { BuildPage } from './build-page.tsx'
export { BuildsPage } from './builds-page.tsx'
