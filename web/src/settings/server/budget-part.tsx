import { type ReactNode, useId, useState } from 'react'
import { Field } from './fields.tsx'
import styles from './server-settings.module.css'
import { type Change, type Entry, isEntry, textIn, useEditing, useSettingsWords } from './settings-words.ts'

const kinds = ['tokens', 'money'] as const

/** Limits of spending; a scope without any is taken out of the file. */
export function BudgetPart(): ReactNode {
  const texts = useSettingsWords()
  const id = useId()
  const { view, review } = useEditing()
  const budgets: Entry = isEntry(view.values['budgets']) ? view.values['budgets'] : {}
  const scopes = Object.keys(texts.scopes)
  const written = (scope: string, kind: string): string => {
    const budget = budgets[scope]
    return isEntry(budget) ? textIn(budget, kind) : ''
  }
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const shown = (scope: string, kind: string): string => typed[`${scope} ${kind}`] ?? written(scope, kind)

  const changes = scopes.flatMap((scope): Change[] => {
    const values = kinds.map((kind) => [kind, shown(scope, kind).trim()] as const)
    if (values.every(([kind, value]) => value === written(scope, kind))) return []
    const set = values.filter(([, value]) => value !== '').map(([kind, value]) => [kind, Number(value)] as const)
    if (set.length === 0) return [{ path: ['budgets', scope], value: null }]
    if (!isEntry(budgets[scope])) return [{ path: ['budgets', scope], value: Object.fromEntries(set) }]
    return values.flatMap(([kind, value]): Change[] =>
      value === written(scope, kind) ? [] : [{ path: ['budgets', scope, kind], value: value === '' ? null : Number(value) }],
    )
  })
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{texts.budgets}</h2>
      <p className={styles['note']}>{texts.budgetsAbout}</p>
      <form
        className={styles['budgets']}
        onSubmit={(event) => {
          event.preventDefault()
          review(changes)
        }}
      >
        {scopes.map((scope) => (
          <fieldset key={scope}>
            <legend>{texts.scopes[scope]}</legend>
            {kinds.map((kind) => (
              <Field
                key={kind}
                label={texts.fields[kind]}
                value={shown(scope, kind)}
                onChange={(value) => setTyped({ ...typed, [`${scope} ${kind}`]: value })}
                type="number"
              />
            ))}
          </fieldset>
        ))}
        <button type="submit" className="button">
          {texts.review}
        </button>
      </form>
    </section>
  )
}
