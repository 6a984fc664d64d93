import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from '../administration/cannot-start.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { takeLock } from './socket-lock.ts';

/** The data folder of a local service. No other local service can use the folder until `close` is called. */
export interface DataFolder {
  path(content: keyof typeof contents): string;
  /** Releases the lock. If the folder is temporary, deletes the folder. */
  close(): Promise<void>;
}

/**
 * Opens or creates the folder, and makes its content readable only by the owner. Throws CannotStart if the
 * folder cannot be used, or if another local service uses it.
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CannotStart(`The data folder ${folder} cannot be created: ${(error as Error).message}.`);
  }
  const lock = await takeLock(join(folder, 'runner.sock')).catch((error) => {
    throw new CannotStart(`The data folder cannot be used: ${error.message}.`);
  });
  if (!lock)
    throw new CannotStart(
      `The data folder ${folder} is in use by another local service. Stop that service, or set DATA_DIR to another folder.`,
    );
  // A folder with the sticky bit, such as /tmp, is shared with other users, so its mode is not changed.
  if ((statSync(folder).mode & 0o1000) === 0) restrict(folder, 0o700);
  for (const name of Object.values(contents)) restrictAll(join(folder, name));
  return { path: (content) => join(folder, contents[content]), close: lock.release };
}

export function temporaryDataFolder(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-'));
  return {
    path: (content) => join(folder, contents[content]),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes a file, or a folder with its content, accessible to the owner only. Skips links. */
function restrictAll(path: string): void {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status || status.isSymbolicLink()) return;
  restrict(path, status.isDirectory() ? 0o700 : 0o600);
  if (status.isDirectory()) for (const name of readdirSync(path)) restrictAll(join(path, name));
}

function restrict(path: string, mode: number): void {
  if (process.platform === 'win32') return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // The file has another owner, or the file system does not support modes. The service can start anyway.
    console.error(`Other users of this machine may be able to read ${path}: ${(error as Error).message}.`);
  }
}
