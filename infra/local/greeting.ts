import type { LocalCredentials } from '../administration/credentials.ts';

/** The message printed at the start: the addresses, the credentials, and a first request to copy. */
export function greeting(
  credentials: LocalCredentials,
  consoleToken: string,
  data: string,
  smtpPort: number,
): string {
  const { baseUrl, accountId, adminEmail, adminPassword, apiKey, apiSecret } = credentials;
  const body = JSON.stringify({ apiKey, apiSecret });
  const lines = {
    Console: `${baseUrl}/#${consoleToken}`,
    'API reference': `${baseUrl}/docs`,
    Account: accountId,
    Administrator: `${adminEmail}  ${adminPassword}`,
    'API key': apiKey,
    'API secret': apiSecret,
    'Mail (SMTP)': `127.0.0.1:${smtpPort}`,
    Data: data,
  };
  return [
    '',
    `merchant-ops is running at ${baseUrl}`,
    '',
    ...Object.entries(lines).map(([name, value]) => `  ${name.padEnd(15)}${value}`),
    '',
    'To get a session token with the API key:',
    '',
    `  curl -s ${baseUrl}/auth/login -H 'content-type: application/json' -d '${body}'`,
    '',
    'Press Ctrl-C to stop the service.',
    '',
  ].join('\n');
}
