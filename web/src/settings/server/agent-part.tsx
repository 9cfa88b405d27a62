import { type ReactNode, useState } from 'react'
import { languageCodes, languages } from '../../../../src/shapes/language.ts'
import { Tile } from '../../look/tile.tsx'
import { EntryForm } from './entry-form.tsx'
import { Check, Checks, Choice, Field } from './fields.tsx'
import { Section } from './section.tsx'
import styles from './server-settings.module.css'
import {
  type Change,
  listChanges,
  entriesIn,
  type Entry,
  toEntry,
  isEntry,
  listIn,
  textIn,
  useEditing,
  useSettingsWords,
} from './settings-words.ts'

export function AgentPart(): ReactNode {
  const texts = useSettingsWords()
  const { view } = useEditing()
  const team = isEntry(view.values['team']) ? view.values['team'] : {}
  const members = entriesIn(team['members'])
  const first = textIn(team, 'default') || (members[0]?.[0] ?? '')
  return (
    <Section
      title={texts.agents}
      add={texts.add.agent}
      empty={members.length === 0 ? texts.noAgents : null}
      renderForm={(close) => <AgentForm name={null} member={{}} isDefault={false} onClose={close} />}
    >
      {members.map(([name, member]) => (
        <AgentRow key={name} name={name} member={member} isDefault={name === first} />
      ))}
    </Section>
  )
}

function AgentRow({ name, member, isDefault }: { name: string; member: Entry; isDefault: boolean }): ReactNode {
  const texts = useSettingsWords()
  const [isOpen, setOpen] = useState(false)
  const isModel = textIn(member, 'runtime') === 'model'
  const facts = [textIn(member, 'about'), isModel ? textIn(member, 'model') : texts.inFile, isDefault ? texts.isDefault : '']
  return (
    <li>
      <div className={styles['entry']}>
        <Tile name={name} size={28} />
        <div>
          <b dir="auto">{name}</b>
          <small dir="auto">{facts.filter((part) => part !== '').join(' · ')}</small>
        </div>
        <button type="button" className="button" aria-label={texts.editOf(name)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.edit}
        </button>
      </div>
      {isOpen && <AgentForm name={name} member={member} isDefault={isDefault} onClose={() => setOpen(false)} />}
    </li>
  )
}

type FormProps = { name: string | null; member: Entry; isDefault: boolean; onClose(): void }

function AgentForm({ name, member, isDefault, onClose }: FormProps): ReactNode {
  const texts = useSettingsWords()
  const { view, review } = useEditing()
  const isModel = name === null || textIn(member, 'runtime') === 'model'
  const [about, setAbout] = useState(textIn(member, 'about'))
  const [prompt, setPrompt] = useState(textIn(member, 'prompt'))
  const [model, setModel] = useState(textIn(member, 'model'))
  const [language, setLanguage] = useState(textIn(member, 'language'))
  const [toolsets, setToolsets] = useState(listIn(member, 'toolsets'))
  const [mcp, setMcp] = useState(listIn(member, 'mcp'))
  const [isFirst, setFirst] = useState(isDefault)
  const members = entriesIn(isEntry(view.values['team']) ? view.values['team']['members'] : null).map(([one]) => one)
  const models = entriesIn(view.values['models']).map(([one]) => one)

  const onReview = (wanted: string): void => {
    const fields = { about, ...(isModel && { prompt, model }), language, toolsets, mcp }
    const path = ['team', 'members', wanted]
    const changes: Change[] =
      name === null ? [{ path, value: toEntry({ runtime: 'model', ...fields }) }] : listChanges(path, member, fields)
    review(isFirst && !isDefault ? [...changes, { path: ['team', 'default'], value: wanted }] : changes)
    onClose()
  }
  return (
    <EntryForm
      name={name}
      taken={members}
      suggested={members.length === 0 ? 'assistant' : ''}
      onReview={onReview}
      onRemove={name === null ? null : () => review([{ path: ['team', 'members', name], value: null }])}
      onCancel={onClose}
    >
      <Field label={texts.fields.about} value={about} onChange={setAbout} />
      {isModel && (
        <>
          <Field label={texts.fields.prompt} value={prompt} onChange={setPrompt} type="area" />
          <Choice
            label={texts.fields.model}
            value={model}
            options={[['', texts.fields.anyModel], ...models.map((one) => [one, one] as const)]}
            onChange={setModel}
          />
        </>
      )}
      <Choice
        label={texts.fields.language}
        value={language}
        options={[['', texts.fields.anyLanguage], ...languageCodes.map((code) => [code, languages[code].name] as const)]}
        onChange={setLanguage}
      />
      <Checks legend={texts.fields.toolsets} values={toolsets} options={Object.entries(texts.toolsets)} onChange={setToolsets} />
      {view.mcp.length > 0 && (
        <Checks legend={texts.fields.mcp} values={mcp} options={view.mcp.map((one) => [one, one] as const)} onChange={setMcp} />
      )}
      {!isDefault && <Check label={texts.fields.isDefault} isOn={isFirst} onChange={setFirst} />}
    </EntryForm>
  )
}
