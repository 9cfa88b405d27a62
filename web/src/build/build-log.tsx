import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { BuildView } from '../../../src/client/index.ts'
import log from '../chat/log.module.css'
import { useStick } from '../chat/use-stick.ts'
import working from '../chat/working-line.module.css'
import { Icon } from '../look/icon.tsx'
import { Line } from './build-lines.tsx'
import { Result } from './result.tsx'
import { useBuildWords } from './use-build.ts'

export function BuildLog({
  view,
  agent,
  isReady,
  isSlow,
}: {
  view: BuildView
  agent: string
  isReady: boolean
  isSlow: boolean
}): ReactNode {
  const words = useBuildWords()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const result = useRef<HTMLDivElement>(null)
  const { isAtEnd, toEnd, toStart } = useStick(scroller, content, isReady)
  const output = view.status === 'complete' ? view.output : null
  const hasResult = isReady && output !== null && output !== ''
  useLayoutEffect(() => {
    if (hasResult && result.current) toStart(result.current)
  }, [hasResult, toStart])
  const isWorking = isReady && (view.status === 'starting' || view.status === 'running')
  return (
    <div className={log['frame']} data-fills>
      <div id="log" ref={scroller} className={log['log']} role="log" aria-live="off" aria-label={words.log} tabIndex={0}>
        <div ref={content} className={log['content']}>
          {!isReady && isSlow && (
            <div className={log['bones']} role="status">
              <span className="hidden-visually">{words.loading}</span>
              <div className="skeleton" />
              <div className="skeleton" />
            </div>
          )}
          {view.lines.map((line) => (
            <Line key={line.seq} line={line} agent={agent} />
          ))}
          {isWorking && (
            <p className={working['line']}>
              <span className={working['dots']} aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
              <span className="hidden-visually">{words.status[view.status]}</span>
            </p>
          )}
          {output !== null && output !== '' && (
            <div ref={result}>
              <Result output={output} />
            </div>
          )}
        </div>
      </div>
      {!isAtEnd && !hasResult && (
        <button type="button" className={`button ${log['newest']}`} onClick={toEnd}>
          <Icon name="down" />
          {words.newest}
        </button>
      )}
    </div>
  )
}
