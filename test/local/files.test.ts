import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Credentials, readCredentials } from '../../infra/local/credentials.ts';
import { startRunnerProcess, temporaryFolder } from './runner-process.ts';

function credentialsIn(folder: string): Credentials {
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  return credentials;
}

/** A client of the runner in this folder, signed in by its API key. */
async function signIn(folder: string) {
  const { baseUrl, accountId, apiKey, apiSecret } = credentialsIn(folder);
  const headers = { 'content-type': 'application/json', 'x-account-id': accountId, authorization: '' };
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const { token } = (await send('POST', '/auth/login', { apiKey, apiSecret })) as { token: string };
  headers.authorization = `Bearer ${token}`;
  return send;
}

test('a file that curl uploaded is read by its link after a SIGKILL and a restart', async () => {
  const folder = temporaryFolder();
  const bytes = '%PDF-1.7 a voided check';
  const path = join(folder, 'check.pdf');
  const first = await startRunnerProcess({ DATA_DIR: folder });
  writeFileSync(path, bytes);
  const send = await signIn(folder);
  const { id } = (await send('POST', '/applications', {})) as { id: string };
  const document = (await send('POST', `/applications/${id}/documents`, {
    documentKey: 'voided-check',
    name: 'check.pdf',
    contentType: 'application/pdf',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })) as { id: string; upload: { url: string; headers: Record<string, string> } };
  const { url, headers } = document.upload;
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const upload = ['-sf', '-X', 'PUT', '-T', path, ...flags, url];
  await promisify(execFile)('curl', upload);
  const documents = `/applications/${id}/documents/${document.id}`;
  await send('POST', `${documents}/complete`, {});
  await first.kill('SIGKILL');

  await startRunnerProcess({ DATA_DIR: folder });
  const link = (await (await signIn(folder))('GET', `${documents}/link`)) as { url: string };
  const file = await fetch(link.url);
  expect([file.status, await file.text()]).toEqual([200, bytes]);
});
