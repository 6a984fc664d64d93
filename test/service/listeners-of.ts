import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns the IPv4 addresses at which a process listens, such as `127.0.0.1:3000`. Reads Linux's /proc. */
export function listenersOf(pid: number): string[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === listening && sockets.has(`socket:[${inode}]`))
    .map(([, local = '']) => addressIn(local));
}

/** The state of a listening socket in /proc/net/tcp. */
const listening = '0A';

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // The file was closed since it was listed.
  }
}

/** Parses `0100007F:0BB8`: the bytes of the address in reverse order, and the port. */
function addressIn(hex: string): string {
  const [address = '', port = ''] = hex.split(':');
  return `${[...Buffer.from(address, 'hex').reverse()].join('.')}:${Number.parseInt(port, 16)}`;
}
