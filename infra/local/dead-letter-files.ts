import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DeadLetter, type DeadLetterSource, deadLetterSources } from '../operations/dead-letter.ts';
import { readStored } from './stored-file.ts';

/** A dead letter on this machine, as `<source>/<id>.json`, or `.redrive` once it is to be sent again. */
export interface DeadLetterFile extends DeadLetter {
  redriven: boolean;
}

const endings = { waiting: '.json', redriven: '.redrive' } as const;

const pathOf = (folder: string, { source, id, redriven }: Omit<DeadLetterFile, 'body' | 'since'>): string =>
  join(folder, source, `${id}${redriven ? endings.redriven : endings.waiting}`);

/** The dead letters in a folder, oldest first. */
export function deadLetterFiles(folder: string): DeadLetterFile[] {
  return deadLetterSources
    .flatMap((source) => filesOf(folder, source))
    .sort((one, other) => one.since.getTime() - other.since.getTime());
}

function filesOf(folder: string, source: DeadLetterSource): DeadLetterFile[] {
  const within = join(folder, source);
  if (!existsSync(within)) return [];
  return readdirSync(within).flatMap((name) => {
    const ending = Object.values(endings).find((known) => name.endsWith(known));
    const path = join(within, name);
    const status = ending && statSync(path, { throwIfNoEntry: false });
    const body = ending && readStored(path);
    // The runner may have finished with it meanwhile.
    if (!status || body === undefined) return [];
    const id = name.slice(0, -ending.length);
    const [since, redriven] = [status.mtime, ending === endings.redriven];
    return [{ source, id, since, redriven, body }];
  });
}

/** Has the runner send it again: now, or when it starts. The file stays until all that it is sent as is done. */
export const markRedriven = (folder: string, letter: DeadLetterFile): void =>
  renameSync(pathOf(folder, letter), pathOf(folder, { ...letter, redriven: true }));

/** It is not sent again after all. */
export const markWaiting = (folder: string, letter: DeadLetterFile): void =>
  renameSync(pathOf(folder, letter), pathOf(folder, { ...letter, redriven: false }));

export const removeDeadLetterFile = (folder: string, letter: Omit<DeadLetterFile, 'body' | 'since'>): void =>
  rmSync(pathOf(folder, letter), { force: true });
