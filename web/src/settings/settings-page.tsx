import { type ReactNode, useId } from 'react'
import { languageCodes, languages } from '../../../src/shapes/language.ts'
import { changeSettings, type Settings, type Theme, useSettings } from '../keep/settings.ts'
import { basePath } from '../link/base-path.ts'
import { client } from '../link/page-client.ts'
import { useReader } from '../link/reader.ts'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import modal from '../parts/modal.module.css'
import { ListPage } from '../parts/list-page.tsx'
import { useWords } from '../words/use-words.ts'
import { NotificationSettings } from './notifications.tsx'
import { SignedInBrowsers } from './signed-in-browsers.tsx'
import styles from './settings.module.css'

/** The settings that this browser keeps for its reader, and where they are signed in. */
export function SettingsPage({ onShowKeys }: { onShowKeys(): void }): ReactNode {
  const words = useWords()
  const settings = useSettings()
  const server = useRefreshing(serverInfo).value
  const reader = useReader()
  const switchId = useId()

  const signOut = async (): Promise<void> => {
    await client.signOut()
    location.assign(`${basePath}/`)
  }
  return (
    <ListPage title={words.settings.title} loading={null}>
      <div className={styles['card']}>
        <Select
          label={words.settings.language}
          value={settings.language}
          options={languageCodes.map((code) => [code, languages[code].name])}
          onChange={(language) => changeSettings({ language })}
        />
        <Select<Theme>
          label={words.settings.theme}
          value={settings.theme}
          options={[
            ['system', words.settings.themeSystem],
            ['light', words.settings.themeLight],
            ['dark', words.settings.themeDark],
          ]}
          onChange={(theme) => changeSettings({ theme })}
        />
        <Select<Settings['sendWith']>
          label={words.settings.sendWith}
          value={settings.sendWith}
          options={[
            ['enter', words.settings.enter],
            ['ctrl-enter', words.settings.ctrlEnter],
          ]}
          onChange={(sendWith) => changeSettings({ sendWith })}
        />
        <div className={styles['row']}>
          <label htmlFor={switchId}>{words.settings.singleKeys}</label>
          <input
            id={switchId}
            type="checkbox"
            className={styles['switch']}
            checked={settings.singleKeys}
            onChange={(event) => changeSettings({ singleKeys: event.target.checked })}
          />
        </div>
      </div>
      <NotificationSettings />
      {(reader === null || reader.role === 'owner') && <SignedInBrowsers />}
      <details className={modal['help']}>
        <summary>{words.settings.help}</summary>
        <p>{words.settings.helpText}</p>
      </details>
      <div className={styles['foot']}>
        <button type="button" className="button" onClick={onShowKeys}>
          {words.app.keys}
        </button>
        <button type="button" className="button" onClick={() => void signOut()}>
          {words.settings.signOut}
        </button>
        {server && <span className={styles['version']}>{words.settings.version(server.version)}</span>}
      </div>
    </ListPage>
  )
}

function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: [Value, string][]
  onChange(value: Value): void
}): ReactNode {
  const id = useId()
  return (
    <div className={styles['row']}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
