import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startQueues } from '../../infra/local/queues.ts';
import { startRunner } from '../../infra/local/runner.ts';
import { readSettings, resourcePrefix } from '../../infra/local/settings.ts';
import { createAccount } from '../../infra/operations/create-account.ts';

test('two services on one emulator use different queues and buckets', async () => {
  const emulator = await startQueues();
  try {
    const names = await Promise.all(
      ['merchant-ops-one', 'Merchant_ops.two'].map(async (TABLE_NAME) => {
        const { tableName, bucketName } = readSettings({ TABLE_NAME }, []);
        const own = await startQueues({ endpoint: emulator.endpoint, prefix: resourcePrefix(tableName) });
        const urls = own.queues.flatMap(({ url, deadLetterUrl }) => [url, deadLetterUrl]);
        return [bucketName, own.relayDeadLetterUrl, ...urls];
      }),
    );
    expect(new Set(names.flat()).size).toBe(2 * (names[0]?.length ?? 0));
    expect(names.map(([bucket]) => bucket)).toEqual(['merchant-ops-one-files', 'merchant-ops-two-files']);
  } finally {
    await emulator.stop();
  }
});

test('a start with the table of another data folder fails and leaves its account unchanged', async () => {
  await createAccount({ name: 'Theirs', adminEmail: 'admin@example.com', adminPassword: 'a long password' });
  const environment = { ...process.env };
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'merchant-ops-'));
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB } = process.env;
  try {
    const settings = readSettings(
      { TABLE_NAME: 'merchant-ops-local', AWS_ENDPOINT_URL_DYNAMODB, DATA_DIR, PORT: '0' },
      [],
    );
    await expect(startRunner({ ...settings, tableName: String(TABLE_NAME) })).rejects.toThrow(
      /^The table "merchant-ops-test-\S+" at http:\S+ belongs to another data folder, which has its keys\. Set DATA_DIR to that folder, or TABLE_NAME to a new name\.$/,
    );
    expect(readdirSync(DATA_DIR)).not.toContain('credentials.json');
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    rmSync(DATA_DIR, { recursive: true });
  }
});
