import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the id of the child process with this program name. */
export function childOf(parent: number, name: string): number {
  const child = processes().find((one) => one.parent === parent && one.name.endsWith(name));
  if (!child) throw new Error(`Process ${parent} has no child named ${name}`);
  return child.id;
}

interface Running {
  id: number;
  parent: number;
  name: string;
}

/** Lists the running processes. Reads /proc if it exists, because some machines do not have `ps`. */
export function processes(): Running[] {
  if (!existsSync('/proc/self/stat')) {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm=']).toString().trim().split('\n');
    return lines
      .map((line) => line.trim().split(/\s+/))
      .map(([id, parent, name = '']) => running(id, parent, name));
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((id) => {
      try {
        const [, name = '', parent] =
          /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
        return [running(id, parent, name)];
      } catch {
        return []; // The process has ended since it was listed.
      }
    });
}

const running = (id: string | undefined, parent: string | undefined, name: string): Running => ({
  id: Number(id),
  parent: Number(parent),
  name,
});
