import type { BuildFeed, BuildFeedState } from '../../../src/client/build-feed.ts'
import { type AskedQuestion, type BuildView, buildViewOfAll, emptyBuild } from '../../../src/client/build-view.ts'
import { type BuildAnswer, type Builds, builds } from '../../../src/client/builds.ts'
import { caller } from '../../../src/client/call.ts'
import type { ClientError } from '../../../src/client/client-error.ts'
import { freshKey, http } from '../../../src/client/http.ts'
import { describeUnreachable } from './cannot-reach.ts'
import { fetchToken, tokenFetch, type TokenSource } from './token-fetch.ts'
import { readLanguage, type Language } from '../../../src/shapes/language.ts'
import { describeNews } from '../build/build-news.ts'
import { pageBuildWords } from '../../../src/words/page-parts.ts'
import type { PageBuildWords } from '../../../src/words/en/page-builds.ts'
import { type Drawing, buildDrawing } from './build-drawing.ts'
import { elementStyle } from './element-style.ts'
import { questionForm } from './question-form.ts'
import { errorMessage } from '../../../src/errors/error-message.ts'

const style = new CSSStyleSheet()
style.replaceSync(elementStyle)

/** Changes may come in a burst; who listens hears where things stand after a moment. */
const gatherMs = 800

/**
 * `<parley-build src build-id token token-url lang>`: one build in another page. The same events and the same fold as on the
 * page of its own; only the drawing is smaller.
 */
class ParleyBuild extends HTMLElement {
  static readonly observedAttributes = ['src', 'build-id', 'token', 'token-url', 'lang']

  #view: BuildView = emptyBuild
  #drawing: Drawing | null = null
  #feed: BuildFeed | null = null
  #token: string | null = null
  #renewToken: (() => Promise<string>) | null = null
  #isRenewalLost = false
  #isPlanned = false
  #told: BuildView | null = null
  #sayTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [style]
  }

  /** The view on screen. */
  get view(): BuildView {
    return this.#view
  }

  /** Instead of the attribute: a token that is set here does not appear in markup. */
  get token(): string | null {
    return this.#token ?? this.getAttribute('token')
  }
  set token(token: string | null) {
    this.#token = token
    this.#tokenChanged()
  }

  /** Gives a new token when the old one has expired. Set by the maker of the page; instead of it, `token-url` names an address. */
  get renewToken(): (() => Promise<string>) | null {
    return this.#renewToken
  }
  set renewToken(renew: (() => Promise<string>) | null) {
    this.#renewToken = renew
    this.#tokenChanged()
  }

  connectedCallback(): void {
    this.#restart()
  }

  disconnectedCallback(): void {
    this.#stop()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    if (!name.startsWith('token')) return this.#restart()
    // The attribute is the latest word of the page.
    if (name === 'token') this.#token = null
    this.#tokenChanged()
  }

  /** The screen stays as it is, a half-written text included; only the connection is made again. */
  #tokenChanged(): void {
    if (this.#feed === null) return this.#restart()
    this.#feed.retryNow()
  }

  #tokenSource(): TokenSource {
    const url = this.getAttribute('token-url')
    const ask = this.#renewToken ?? (url === null ? null : () => fetchToken(url))
    const current = (): string | undefined => this.token ?? undefined
    if (ask === null) return { current }
    return {
      current,
      renew: async () => {
        this.#isRenewalLost = true
        this.#token = await ask()
        this.#isRenewalLost = false
        return this.#token
      },
    }
  }

  /** Several attributes are set one after the other: that is one change. */
  #restart(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      this.#stop()
      if (this.isConnected) this.#start()
    })
  }

  #stop(): void {
    this.#feed?.close()
    this.#feed = null
    clearTimeout(this.#sayTimer)
    this.#sayTimer = undefined
  }

  #start(): void {
    const build = this.getAttribute('build-id') ?? ''
    const language = readLanguage(this.getAttribute('lang') ?? (document.documentElement.lang || navigator.language))
    const words = pageBuildWords[language]
    const src = this.getAttribute('src') ?? ''
    const options = { baseUrl: src, via: 'embed', fetch: tokenFetch(() => this.#tokenSource()) }
    const server = builds(caller(http(options)), options)
    this.#view = emptyBuild
    this.#told = null
    this.#drawing = buildDrawing({
      language,
      questionForm: (ask) => this.#form(server, build, ask, words),
      retry: () => this.#retry(server, build),
      say: (text) => toRefusal(server.say(build, text, { key: freshKey() })),
    })
    this.shadowRoot?.replaceChildren(this.#drawing.node)
    this.#drawing.draw(emptyBuild)
    if (build === '') return
    this.#feed = server.follow(build, 0, {
      onEvents: (events) => this.#show(buildViewOfAll(this.#view, events), build, language),
      onState: (state) => void this.#link(state, src, words),
      onRefused: (error) => this.#refused(error, words),
    })
  }

  /** One line about the connection. Before the first event, the reason is looked for. */
  async #link(state: BuildFeedState, src: string, words: PageBuildWords): Promise<void> {
    if (state !== 'reconnecting') return this.#drawing?.link('')
    if (this.#isRenewalLost) return this.#drawing?.link(words.notRenewed)
    if (this.#view.seq > 0) return this.#drawing?.link(words.reconnecting)
    const feed = this.#feed
    const why = await describeUnreachable(src, words)
    if (this.#feed === feed && feed?.state === 'reconnecting') this.#drawing?.link(why)
  }

  #show(view: BuildView, build: string, language: Language): void {
    const was = this.#view
    const hadFocus = Boolean(this.shadowRoot?.activeElement)
    this.#view = view
    this.#drawing?.draw(view)
    // Focus inside the element moves along; other focus is not touched.
    if (hadFocus && was.question?.id !== view.question?.id)
      this.shadowRoot?.querySelector<HTMLElement>(view.question ? '.card' : '.lines')?.focus({ preventScroll: true })
    this.#announce(view, language)
    if (view.question && view.question.id !== was.question?.id) this.#tell('question', { build, ...view.question })
    if (view.isOver && !was.isOver && view.status === 'complete') this.#tell('completed', { build, output: view.output })
    if (view.isOver && !was.isOver && view.failure) this.#tell('failed', { build, ...view.failure })
  }

  #announce(view: BuildView, language: Language): void {
    // Content present at opening is not announced.
    this.#told ??= view
    this.#sayTimer ??= setTimeout(() => {
      this.#sayTimer = undefined
      const text = describeNews(this.#told ?? this.#view, this.#view, language)
      this.#told = this.#view
      if (text !== '') this.#drawing?.say(text)
    }, gatherMs)
  }

  #refused({ status, code, message }: ClientError, words: PageBuildWords): void {
    if (code === 'token_expired') return this.#drawing?.refuse(words.expired)
    const isClosed = status === 401 || status === 403
    this.#drawing?.refuse(status === 404 ? words.notFound : isClosed ? words.notAllowed : message)
  }

  #form(server: Builds, build: string, ask: AskedQuestion, words: PageBuildWords): HTMLElement {
    // Repeats of a failing way share one key inside the client; a second press is a second, perhaps corrected, answer.
    const send = (answer: BuildAnswer): Promise<string | null> => toRefusal(server.answer(build, answer, { key: freshKey() }))
    return questionForm({ ask, words, send })
  }

  async #retry(server: Builds, build: string): Promise<string | null> {
    return toRefusal(
      // One key for each end: pressed twice it is one retry, and after the next failure it is another.
      server.retry(build, { key: `retry-${build}-${this.#view.seq}` }).then(({ build_id: next }) => {
        this.#tell('restarted', { build: next, before: build })
      }),
    )
  }

  #tell(what: 'question' | 'completed' | 'failed' | 'restarted', detail: object): void {
    this.dispatchEvent(new CustomEvent(`parley-build-${what}`, { detail, bubbles: true, composed: true }))
  }
}

async function toRefusal(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    return errorMessage(error)
  }
}

if (!customElements.get('parley-build')) customElements.define('parley-build', ParleyBuild)
