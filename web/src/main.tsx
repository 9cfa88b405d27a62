import './look/tokens.css'
import './look/base.css'
import './markdown/markdown.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app.tsx'
import { applySettings, loadLanguage } from './keep/settings.ts'
import { basePath } from './link/base-path.ts'
import { signIn, takeKey } from './link/sign-in.ts'

applySettings()

const key = takeKey()
const signingIn = key === null ? Promise.resolve(null) : signIn(key)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element called root')

// No await at the top: a dictionary that shares code with this file would wait for this file, and this file for it.
void loadLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Router base={basePath}>
        <App signingIn={signingIn} isSigningIn={key !== null} />
      </Router>
    </StrictMode>,
  ),
)
