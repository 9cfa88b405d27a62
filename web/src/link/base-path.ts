/** The path the page is mounted at, such as `/parley`; empty at the top. The server writes it into index.html. */
export const basePath: string = (typeof document === 'undefined' ? undefined : document.documentElement.dataset['base']) ?? ''
