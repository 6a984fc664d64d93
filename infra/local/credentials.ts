import { CannotStart } from './cannot-start.ts';
import { readStored, writeStored } from './stored-file.ts';

/** How to get in: what the first start made, for people and programs on this machine. */
export interface LocalCredentials {
  baseUrl: string;
  accountId: string;
  adminEmail: string;
  adminPassword: string;
  apiKey: string;
  apiSecret: string;
}

const fields = ['baseUrl', 'accountId', 'adminEmail', 'adminPassword', 'apiKey', 'apiSecret'] as const;

/** The credentials of an earlier start, or undefined where there was none. Throws CannotStart where damaged. */
export function readCredentials(path: string): LocalCredentials | undefined {
  const text = readStored(path);
  if (text === undefined) return undefined;
  const credentials = parsed(text);
  if (!credentials)
    throw new CannotStart(`The credentials ${path} are damaged: remove the file, and a new account is made.`);
  return credentials;
}

export const writeCredentials = (path: string, credentials: LocalCredentials): void =>
  writeStored(path, `${JSON.stringify(credentials, null, 2)}\n`);

function parsed(text: string): LocalCredentials | undefined {
  try {
    const value: Record<keyof LocalCredentials, unknown> = JSON.parse(text);
    return fields.every((field) => typeof value[field] === 'string')
      ? (value as LocalCredentials)
      : undefined;
  } catch {
    return undefined;
  }
}
