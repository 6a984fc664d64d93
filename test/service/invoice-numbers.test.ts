import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from './runner-process.ts';

const openings = 32;

/** Signs in to the service that uses a folder, and returns a function that sends requests. */
async function callerOf(folder: string) {
  const stored = readCredentials(join(folder, 'credentials.json'));
  if (!stored) throw new Error('The runner wrote no credentials.');
  const { baseUrl, accountId, apiKey, apiSecret } = stored;
  const headers = {
    'content-type': 'application/json',
    'x-account-id': accountId,
    'x-api-key': apiKey,
    'x-api-secret': apiSecret,
  };
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

test('32 concurrent openings and a SIGKILL during them leave invoice numbers without gaps and duplicates', async () => {
  const folder = temporaryFolder();
  const first = await startRunnerProcess({ DATA_DIR: folder });
  const send = await callerOf(folder);
  const merchant = await send('POST', '/merchants', { merchantName: 'Harbor Street Coffee' });
  const lines = [{ description: 'Fee', quantity: 1, unitAmount: 100 }];
  const of = { customerType: 'merchant', customerId: String(merchant.body.id), currency: 'USD', lines };
  const ids: unknown[] = [];
  for (let n = 0; n < openings; n++) ids.push((await send('POST', '/invoices', of)).body.id);

  const acknowledged = new Map<unknown, unknown>();
  await Promise.allSettled(
    ids.map(async (id) => {
      // On a slow machine, an opening that loses many races is busy. It has no effect and is repeated.
      let opened = await send('POST', `/invoices/${id}/open`);
      while (opened.status === 503) opened = await send('POST', `/invoices/${id}/open`);
      expect(opened.status).toBe(200);
      acknowledged.set(id, opened.body.number);
      if (acknowledged.size === openings / 4) void first.kill('SIGKILL');
    }),
  );
  await first.kill('SIGKILL');
  expect(acknowledged.size).toBeGreaterThanOrEqual(openings / 4);
  expect(acknowledged.size).toBeLessThan(openings);

  await startRunnerProcess({ DATA_DIR: folder });
  const again = await callerOf(folder);
  const numbers: unknown[] = [];
  for (const id of ids) {
    // An invoice whose opening took effect without a response stays as it is.
    await again('POST', `/invoices/${id}/open`);
    const { body } = await again('GET', `/invoices/${id}`);
    if (acknowledged.has(id)) expect(body.number).toBe(acknowledged.get(id));
    numbers.push(body.number);
  }
  expect(numbers.sort()).toEqual(
    Array.from({ length: openings }, (_, n) => `INV-${String(n + 1).padStart(6, '0')}`),
  );
});
