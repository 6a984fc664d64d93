import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DeadLetter } from './dead-letter.ts';
import { type DeadLetterSource, deadLetterSources } from './dead-letter-sources.ts';
import { readStored } from './stored-file.ts';

/** A dead letter in the file `<source>/<id>.json`, or `<source>/<id>.redrive` if the letter is marked for a redrive. */
export interface DeadLetterFile extends DeadLetter {
  redriven: boolean;
}

const extensions = { waiting: '.json', redriven: '.redrive' } as const;

const pathOf = (folder: string, { source, id, redriven }: Omit<DeadLetterFile, 'body' | 'since'>): string =>
  join(folder, source, `${id}${redriven ? extensions.redriven : extensions.waiting}`);

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
    const extension = Object.values(extensions).find((known) => name.endsWith(known));
    const path = join(within, name);
    const status = extension && statSync(path, { throwIfNoEntry: false });
    const body = extension && readStored(path);
    // The local service may have removed the file after `readdirSync` listed it.
    if (!status || body === undefined) return [];
    const id = name.slice(0, -extension.length);
    const [since, redriven] = [status.mtime, extension === extensions.redriven];
    return [{ source, id, since, redriven, body }];
  });
}

/** Marks the dead letter for a redrive by the local service, which may run now or be started later. */
export const markRedriven = (folder: string, letter: DeadLetterFile): void =>
  renameSync(pathOf(folder, letter), pathOf(folder, { ...letter, redriven: true }));

/** Removes the mark for a redrive. */
export const markWaiting = (folder: string, letter: DeadLetterFile): void =>
  renameSync(pathOf(folder, letter), pathOf(folder, { ...letter, redriven: false }));

export const removeDeadLetterFile = (folder: string, letter: Omit<DeadLetterFile, 'body' | 'since'>): void =>
  rmSync(pathOf(folder, letter), { force: true });
