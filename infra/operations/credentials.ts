import { join } from 'node:path';
import { type LocalCredentials, readCredentials } from '../administration/credentials.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { InvalidOption } from './options.ts';
import { dataFolder } from './service-at.ts';

/** The credentials stored by the local service. */
export function localCredentials(): LocalCredentials {
  const path = join(dataFolder(), contents.credentials);
  const credentials = readCredentials(path);
  if (!credentials)
    throw new InvalidOption(`--base-url is required: there is no local service (${path} is missing).`);
  return credentials;
}

/** Reads the API key from the environment, because all users of the machine can see command-line options. */
export function keyInEnvironment(): { apiKey: string; apiSecret: string } {
  const { API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
  if (!apiKey || !apiSecret)
    throw new InvalidOption('API_KEY and API_SECRET must be set in the environment. See --help.');
  return { apiKey, apiSecret };
}
