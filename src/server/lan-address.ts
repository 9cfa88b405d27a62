import { networkInterfaces } from 'node:os'

type Interfaces = ReturnType<typeof networkInterfaces>

/** Bridges of containers and virtual machines, and tunnels: other devices do not reach this machine through them. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|zt|tailscale|vEthernet)/i

const isPrivate = (address: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address)

/** The address at which other devices of the local network reach this machine; null when there is none. */
export function findLanAddress(interfaces: Interfaces = networkInterfaces()): string | null {
  const addresses = Object.entries(interfaces).flatMap(([name, entries = []]) =>
    entries
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, isVirtual: virtual.test(name) })),
  )
  const real = addresses.filter(({ isVirtual }) => !isVirtual)
  return (real.find(({ address }) => isPrivate(address)) ?? real[0] ?? addresses[0])?.address ?? null
}
