import './look/tokens.css'
import './look/base.css'
import './markdown/markdown.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applySettings } from './keep/settings.ts'
import { signIn, takeKey } from './link/sign-in.ts'

applySettings()

const key = takeKey()
const signingIn = key === null ? Promise.resolve(null) : signIn(key)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element called root')

createRoot(root).render(
  <StrictMode>
    <App signingIn={signingIn} isSigningIn={key !== null} />
  </StrictMode>,
)
