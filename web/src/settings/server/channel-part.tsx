import { type ReactNode, useState } from 'react'
import { client } from '../../link/page-client.ts'
import { asWords } from '../../link/sign-in.ts'
import { inWords, useWords } from '../../words/use-words.ts'
import { EntryForm } from './entry-form.tsx'
import { Choice, Field } from './fields.tsx'
import { Section } from './section.tsx'
import styles from './server-settings.module.css'
import {
  listChanges,
  entriesIn,
  type Entry,
  isEntry,
  type Json,
  textIn,
  toVariable,
  useEditing,
  useSettingsWords,
} from './settings-words.ts'

export function ChannelPart(): ReactNode {
  const texts = useSettingsWords()
  const { view } = useEditing()
  const channels = entriesIn(view.values['channels'])
  return (
    <Section
      title={texts.channels}
      add={texts.add.channel}
      empty={channels.length === 0 ? texts.noChannels : null}
      renderForm={(close) => <ChannelForm name={null} account={{}} onClose={close} />}
    >
      {channels.map(([name, account]) => (
        <ChannelRow key={name} name={name} account={account} />
      ))}
    </Section>
  )
}

function ChannelRow({ name, account }: { name: string; account: Entry }): ReactNode {
  const words = useWords()
  const texts = useSettingsWords()
  const { review } = useEditing()
  const [isOpen, setOpen] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const [outcome, setOutcome] = useState<{ text: string; isBad: boolean } | null>(null)
  const isOff = account['enabled'] === false

  const check = async (): Promise<void> => {
    setChecking(true)
    setOutcome(null)
    try {
      const checked = await client.settings.checkChannel(name)
      setOutcome(
        checked.account === null ? { text: checked.problem ?? '', isBad: true } : { text: texts.isAccount(checked.account), isBad: false },
      )
    } catch (failure) {
      const { message, hint } = inWords(asWords(failure), words)
      setOutcome({ text: `${message} ${hint}`, isBad: true })
    }
    setChecking(false)
  }
  return (
    <li>
      <div className={styles['entry']}>
        <div>
          <b dir="auto">{name}</b>
          <small>{[textIn(account, 'kind') || name, isOff ? texts.isOff : ''].filter((part) => part !== '').join(' · ')}</small>
        </div>
        <button
          type="button"
          className="button"
          data-kind="quiet"
          aria-label={isOff ? texts.turnOnOf(name) : texts.turnOffOf(name)}
          onClick={() => review([{ path: ['channels', name, 'enabled'], value: isOff }])}
        >
          {isOff ? texts.turnOn : texts.turnOff}
        </button>
        <button
          type="button"
          className="button"
          data-kind="quiet"
          aria-label={texts.checkOf(name)}
          disabled={isChecking}
          onClick={() => void check()}
        >
          {isChecking ? texts.checking : texts.check}
        </button>
        <button type="button" className="button" aria-label={texts.editOf(name)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.edit}
        </button>
      </div>
      <div role="status" className={styles['outcome']}>
        {outcome && <p className={outcome.isBad ? styles['bad'] : undefined}>{outcome.text}</p>}
      </div>
      {isOpen && <ChannelForm name={name} account={account} onClose={() => setOpen(false)} />}
    </li>
  )
}

function ChannelForm({ name, account, onClose }: { name: string | null; account: Entry; onClose(): void }): ReactNode {
  const texts = useSettingsWords()
  const { view, review, keepSecret } = useEditing()
  const [kind, setKind] = useState(textIn(account, 'kind') || (name ?? 'telegram'))
  const [agent, setAgent] = useState(textIn(account, 'agent'))
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const platform = view.platforms.find((one) => one.kind === kind)
  const members = entriesIn(isEntry(view.values['team']) ? view.values['team']['members'] : null).map(([one]) => one)

  const onReview = async (wanted: string): Promise<void> => {
    const references: Record<string, Json> = {}
    for (const { key } of platform?.secrets ?? []) {
      const value = (given[key] ?? '').trim()
      if (value === '') continue
      const variable = toVariable(wanted, key)
      if (!(await keepSecret(variable, value))) return
      references[key] = `\${${variable}}`
    }
    const fields = { ...references, ...(name === null && kind !== wanted && { kind }), agent }
    review(
      name === null
        ? [{ path: ['channels', wanted], value: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) }]
        : listChanges(['channels', name], account, fields),
    )
    onClose()
  }
  return (
    <EntryForm
      key={kind}
      name={name}
      taken={entriesIn(view.values['channels']).map(([one]) => one)}
      suggested={kind}
      onReview={(wanted) => void onReview(wanted)}
      onRemove={name === null ? null : () => review([{ path: ['channels', name], value: null }])}
      onCancel={onClose}
    >
      {name === null && (
        <Choice
          label={texts.fields.platform}
          value={kind}
          options={view.platforms.map((one) => [one.kind, one.title] as const)}
          onChange={setKind}
        />
      )}
      {platform?.secrets.map(({ key, title }) => (
        <Field
          key={key}
          label={title}
          value={given[key] ?? ''}
          onChange={(value) => setGiven({ ...given, [key]: value })}
          type="password"
          isCode
        />
      ))}
      <Choice
        label={texts.fields.agent}
        value={agent}
        options={[['', texts.fields.unset], ...members.map((one) => [one, one] as const)]}
        onChange={setAgent}
      />
    </EntryForm>
  )
}
