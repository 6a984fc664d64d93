import { readFileSync } from 'node:fs';

/** Returns the ids of a user of this machine. Throws an Error if the user does not exist. */
export function systemUser(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error(`This machine has no user ${name}.`);
  return { uid: Number(uid), gid: Number(gid) };
}
