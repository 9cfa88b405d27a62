/** Everything a page may want to change is a property with a name of its own; `light-dark()` follows the page's color-scheme. */
export const elementStyle = `
:host {
  --accent: var(--parley-accent, light-dark(#1c6650, #74cdaf));
  --on-accent: var(--parley-on-accent, light-dark(#ffffff, #0c1f18));
  --ink: var(--parley-ink, light-dark(#1c1f1b, #ebece7));
  --soft: var(--parley-ink-soft, light-dark(#565b54, #a8ada5));
  --bg: var(--parley-bg, light-dark(#ffffff, #1b1d1a));
  --quiet: var(--parley-quiet, color-mix(in oklab, var(--accent) 12%, var(--bg)));
  --line: var(--parley-line, light-dark(#e1e2dc, #2e312d));
  --edge: var(--parley-edge, light-dark(#868c83, #737970));
  --wait: var(--parley-wait, light-dark(#7d5200, #e3b866));
  --bad: var(--parley-bad, light-dark(#a8251c, #f3a59d));
  --radius: var(--parley-radius, 10px);
  container: parley-build / inline-size;
  display: block;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--bg);
  color: var(--ink);
  font: var(--parley-font, 1rem/1.5 system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif);
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none }
* { box-sizing: border-box }
p, ol, ul, h3, h4, h5, dl, dd, fieldset, legend { margin: 0; padding: 0 }
fieldset { border: 0; min-inline-size: 0 }
button, textarea { font: inherit; color: inherit }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.body { display: grid; gap: 1rem }
.steps { list-style: none; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 4px }
.steps li { position: relative; block-size: 6px; border-radius: 3px; background: var(--line) }
.steps li[data-state=done] { background: var(--accent) }
.steps li[data-state=active] { background: linear-gradient(to right, var(--accent) 50%, var(--line) 50%) }
.steps li[data-state=failed] { background: var(--bad) }
.now { display: grid; margin-block-start: .5rem }
.now p:first-child { display: flex; justify-content: space-between; gap: .75rem; min-block-size: 1.5em; font-weight: 600 }
.now span, .now p + p { color: var(--soft); font-weight: 400 }
.now p + p { min-block-size: 1.5em; font-size: .8125rem }
.link { min-block-size: 1.2em; color: var(--wait); font-size: .8125rem }
.link:empty { display: none }
.lines { display: grid; gap: .75rem; outline-offset: 4px }
.lines:empty { display: none }
.mine { justify-self: end; max-inline-size: 100%; padding: .5rem .8rem; border-radius: var(--radius); background: var(--quiet); white-space: pre-wrap }
.mine small { margin-block-start: .25rem }
.mine dt, .light { color: var(--soft); font-size: .8125rem }
.asked { padding-inline-start: .75rem; border-inline-start: 3px solid var(--line) }
.card, .result, .early { display: grid; gap: .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: var(--radius) }
.card { border-color: var(--wait) }
.result { border-color: var(--accent) }
.early[data-bad] { border-color: var(--bad) }
.who { color: var(--wait); font-size: .8125rem }
h3 { font-size: 1.0625rem; line-height: 1.4 }
form, .field, fieldset { display: grid; gap: .5rem }
form { gap: 1rem }
label, legend { font-weight: 550 }
legend { margin-block-end: .25rem }
.option { display: flex; align-items: center; gap: .6rem; min-block-size: 44px; padding: .4rem .9rem; border: 1px solid var(--edge); border-radius: var(--radius); font-weight: 400; cursor: pointer }
.option:has(:checked) { border-color: var(--accent); background: var(--quiet) }
.option:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px }
.option input { flex: none; inline-size: 1.125rem; block-size: 1.125rem; margin: 0; outline: 0; accent-color: var(--accent) }
small { display: block; color: var(--soft); font-size: .8125rem }
textarea { inline-size: 100%; min-block-size: 44px; max-block-size: 10rem; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: transparent; font-size: max(16px, 1em); resize: none; field-sizing: content }
[aria-invalid=true] { border-color: var(--bad) }
.fault { color: var(--bad); font-size: .8125rem }
.fault:empty { display: none }
button { justify-self: start; min-block-size: 44px; padding: 0 1rem; border: 1px solid var(--edge); border-radius: var(--radius); background: transparent; font-weight: 550; white-space: nowrap; cursor: pointer }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
button[aria-disabled] { cursor: default; opacity: .75 }
form.say { grid-template-columns: 1fr auto; align-items: end; gap: .5rem }
.say .fault { grid-column: 1 / -1 }
.text { display: grid; gap: .5em }
.text :is(ul, ol) { padding-inline-start: 1.4em }
.text code { padding: .1em .3em; border-radius: 4px; background: var(--quiet); font: .9em/1.5 ui-monospace, 'Noto Sans Mono', monospace }
.text pre { margin: 0; padding: .75rem; border: 1px solid var(--line); border-radius: var(--radius); overflow-x: auto; overflow-wrap: normal }
.text pre code { padding: 0; background: none }
.text blockquote { margin: 0; padding-inline-start: 1em; border-inline-start: 3px solid var(--line); color: var(--soft) }
.text .source { white-space: pre-wrap }
.text .table { overflow-x: auto }
.text :is(th, td) { padding: .4rem .75rem; border-block-end: 1px solid var(--line); text-align: start; overflow-wrap: normal }
a { color: var(--accent) }
@container parley-build (width < 24rem) { .now p + p { min-block-size: 3em } .card button, .early button { justify-self: stretch } }
`
