export const surfaces: Readonly<Partial<Record<string, string>>> = {
  web: '网页',
  cli: '终端',
  api: '接口',
  token: '接口',
  library: '接口',
  build: '构建',
}
