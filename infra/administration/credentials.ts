import { parseStored, writeStored } from './stored-file.ts';

const fields = ['baseUrl', 'accountId', 'adminEmail', 'adminPassword', 'apiKey', 'apiSecret'] as const;

/** The address of the local service and the credentials of the account that the first start created. */
export type LocalCredentials = Record<(typeof fields)[number], string>;

/** Returns undefined if the file does not exist. Throws CannotStart if the file is damaged. */
export const readCredentials = (path: string): LocalCredentials | undefined =>
  parseStored(path, {
    parse: (text) => {
      const value: LocalCredentials = JSON.parse(text);
      return fields.every((field) => typeof value[field] === 'string') ? value : undefined;
    },
    damaged: `The credentials file ${path} is damaged. Delete it to create a new account.`,
  });

export const writeCredentials = (path: string, credentials: LocalCredentials): void =>
  writeStored(path, `${JSON.stringify(credentials, null, 2)}\n`);
