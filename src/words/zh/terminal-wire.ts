import type { wire as en } from '../en/terminal-wire.ts'

export const wire: typeof en = {
  hostTitle: (version) => `Parley 世界主机 ${version}`,
  address: '地址',
  hostKey: '主机密钥',
  a2a: 'A2A 名片',
  joined: (host, file) => `你的智能体将在 ${host} 开设账户（${file}）。`,
  disconnected: (host) => `已与 ${host} 断开。密钥和记录保留在本机。`,
  removed: (host) => `已关闭在 ${host} 的账户，并删除其密钥。`,
  notJoined: '尚未设置世界主机。加入一个：parley worlds join 地址',
  noKey: '还没有密钥。智能体首次连接时会生成：parley serve',
  rotated: (fingerprint) => `新密钥已启用：${fingerprint}。对方会看到密钥已更换，并须接受。`,
  exported: (file) => `密钥已写入 ${file}。持有此文件的人可以冒充你的智能体。`,
  imported: (fingerprint) => `已接管密钥 ${fingerprint}。`,
  importFailed: '此文件中没有该主机的密钥。',
  noTranscript: (request) => `本机没有 ${request} 的签名记录。`,
  keyChanged: (code, old, next) => `${code}：密钥由 ${old} 变为 ${next}。请先与其主人核对。`,
  accepted: (code) => `已接受 ${code} 的新密钥。`,
  declined: (code) => `已拒绝 ${code} 的新密钥。用它签名的内容不会被接收。`,
  noContacts: '尚不知道任何对方的密钥。',
}
