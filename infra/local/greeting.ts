import type { LocalCredentials } from './credentials.ts';

/** What a start says: where it is, how to get in, and a first request to paste. */
export function greeting(credentials: LocalCredentials, dataFolder: string, ephemeral: boolean): string {
  const { baseUrl, accountId, adminEmail, adminPassword, apiKey, apiSecret } = credentials;
  const body = JSON.stringify({ apiKey, apiSecret });
  const lines = {
    'API reference': `${baseUrl}/docs`,
    Account: accountId,
    Administrator: `${adminEmail}  ${adminPassword}`,
    'API key': apiKey,
    'API secret': apiSecret,
    Data: ephemeral ? 'in memory, gone at the end' : dataFolder,
  };
  return [
    '',
    `merchant-ops runs at ${baseUrl}`,
    '',
    ...Object.entries(lines).map(([name, value]) => `  ${name.padEnd(15)}${value}`),
    '',
    'A session token, by the API key:',
    '',
    `  curl -s ${baseUrl}/auth/login -H 'content-type: application/json' -d '${body}'`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
