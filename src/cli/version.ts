import { installedPackage } from '../app/config/installed-package.ts'

export const { version } = installedPackage
