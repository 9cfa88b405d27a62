import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeMarkdown, toDiscordMarkdown, toSubtext } from './markdown.ts'

test('escapeMarkdown: every sign with a meaning on Discord is shown as it is', () => {
  assert.equal(escapeMarkdown('*a* _b_ ~~c~~ ||d|| `e` [f](g)'), '\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\|\\|d\\|\\| \\`e\\` \\[f\\](g)')
  assert.equal(escapeMarkdown('<@1> <t:1> :smile: 10:30'), '\\<@1> \\<t:1> \\:smile: 10:30')
  assert.equal(escapeMarkdown('# a\n> b\n- c\n+ d\n-# e'), '\\# a\n\\> b\n\\- c\n\\+ d\n\\-# e')
  assert.equal(escapeMarkdown('a # b > c - d'), 'a # b > c - d')
})

test('escapeMarkdown: an address stays a link', () => {
  assert.equal(escapeMarkdown('see https://example.org/a_b_c, *not* this'), 'see https://example.org/a_b_c, \\*not\\* this')
})

test('toDiscordMarkdown: spells formatting, and links without a preview', () => {
  assert.equal(toDiscordMarkdown('**b** *i* ~~s~~ [text](https://example.org/a)'), '**b** *i* ~~s~~ [text](<https://example.org/a>)')
  assert.equal(toDiscordMarkdown('# Head\n> quote'), '**Head**\n> quote')
  assert.equal(toDiscordMarkdown('__bold__'), '**bold**')
})

test('toDiscordMarkdown: no code ends early', () => {
  assert.equal(toDiscordMarkdown('`` a`b ``'), '``a`b``')
  assert.equal(toDiscordMarkdown('`` `b ``'), '`` `b ``')
  assert.equal(toDiscordMarkdown('````\na ``` b\n````'), '```\na `\u200B`` b\n```')
})

test('toSubtext: each line is small print, code blocks are not', () => {
  assert.equal(toSubtext('one\n\ntwo'), '-# one\n\n-# two')
  assert.equal(toSubtext('```\none\n```'), '```\none\n```')
})
