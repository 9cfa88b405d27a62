import { useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { BuildView } from '../../../src/client/index.ts'
import type { Language } from '../../../src/shapes/language.ts'
import { client } from '../link/page-client.ts'
import { announce } from '../parts/announcer.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { describeNews } from './build-news.ts'
import { type BuildSnapshot, type BuildStore, buildStore } from './build-store.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'

export const useBuildWords = (): PageBuildWords => pageBuildWords[useContext(LanguageContext)]

export function useBuild(build: string): BuildSnapshot {
  const language = useContext(LanguageContext)
  const store = useMemo(() => buildStore(client, build), [build])
  useEffect(() => tellNews(store, language), [store, language])
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Steps may follow each other faster than they can be read out: what is said is where things stand after a moment. */
const gatherMs = 800

function tellNews(store: BuildStore, language: Language): () => void {
  let lastView: BuildView | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = store.subscribe(() => {
    const { view, isReady } = store.get()
    if (!isReady) return
    lastView ??= view
    if (lastView === view || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      const was = lastView ?? view
      lastView = store.get().view
      const text = describeNews(was, lastView, language)
      if (text !== '') announce(text)
    }, gatherMs)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
