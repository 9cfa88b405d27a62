/** Everything about builds, loaded when somebody goes there. */
export { BuildPage } from './build-page.tsx'
export { BuildsPage } from './builds-page.tsx'
