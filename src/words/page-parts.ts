import type { Language } from '../shapes/language.ts'
import type { BecauseWords } from '../authority/authority-words.ts'
import { pageApprovals as approvalsEn, type PageApprovalWords } from './en/page-approvals.ts'
import { because as becauseEn } from './en/page-because.ts'
import { pageBuilds as buildsEn, type PageBuildWords } from './en/page-builds.ts'
import { pageFind as findEn, type PageFindWords } from './en/page-find.ts'
import { pageNotices as noticesEn, type PageNoticeWords } from './en/page-notices.ts'
import { pageSettings as settingsEn, type PageSettingsWords } from './en/page-settings.ts'
import { pageTaskdoc as taskdocEn, type PageTaskdocWords } from './en/page-taskdoc.ts'
import { pageWorlds as worldsEn, type PageWorldWords } from './en/page-worlds.ts'
import { pageApprovals as approvalsZh } from './zh/page-approvals.ts'
import { because as becauseZh } from './zh/page-because.ts'
import { pageBuilds as buildsZh } from './zh/page-builds.ts'
import { pageFind as findZh } from './zh/page-find.ts'
import { pageNotices as noticesZh } from './zh/page-notices.ts'
import { pageSettings as settingsZh } from './zh/page-settings.ts'
import { pageTaskdoc as taskdocZh } from './zh/page-taskdoc.ts'
import { pageWorlds as worldsZh } from './zh/page-worlds.ts'

// Dictionaries of parts that the page loads when they are opened. They stand apart, or the first load would carry them.

export const pageBuildWords: Readonly<Record<Language, PageBuildWords>> = { en: buildsEn, zh: buildsZh }

export const pageApprovalWords: Readonly<Record<Language, PageApprovalWords>> = { en: approvalsEn, zh: approvalsZh }

export const becauseWords: Readonly<Record<Language, BecauseWords>> = { en: becauseEn, zh: becauseZh }

export const pageWorldWords: Readonly<Record<Language, PageWorldWords>> = { en: worldsEn, zh: worldsZh }

export const pageNoticeWords: Readonly<Record<Language, PageNoticeWords>> = { en: noticesEn, zh: noticesZh }

export const pageTaskdocWords: Readonly<Record<Language, PageTaskdocWords>> = { en: taskdocEn, zh: taskdocZh }

export const pageSettingsWords: Readonly<Record<Language, PageSettingsWords>> = { en: settingsEn, zh: settingsZh }
export const pageFindWords: Readonly<Record<Language, PageFindWords>> = { en: findEn, zh: findZh }
