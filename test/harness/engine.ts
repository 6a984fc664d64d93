import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, vi } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { mailboxVariables, startMailbox } from '../../infra/local/mailbox.ts';
import type { DynamoDb } from '../../infra/local/run-engine.ts';
import { startS3 } from '../../infra/local/s3.ts';
import { environmentOf, stageNamed } from '../../infra/stages.ts';
import { quickScrypt } from './quick-scrypt.ts';
import { quickSignature } from './quick-signature.ts';

// Test files run one after another in one process. Libraries are loaded once, but our modules are loaded again for each
// file, with the original environment of the process.
vi.resetModules();
const environment = { ...process.env };
afterAll(quickScrypt());
afterAll(quickSignature());
// Imported after the reset, so that this module and the test file have the same clock.
const { clock } = await import('./clock.ts');

declare global {
  /** Shared by all test files of this process, because the start of an engine takes time. */
  var engineOfThisProcess: DynamoDb | undefined;
}

/**
 * Sets the environment of a test file before any handler is loaded. Each file has its own S3, which uses the test's
 * clock, and its own table and access key. The table is in the engine at AWS_ENDPOINT_URL_DYNAMODB if this variable is
 * set, and otherwise in the engine of this process.
 */
const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-test-'));
const secretFile = join(folder, 'secret.json');
writeFileSync(secretFile, JSON.stringify({ kids: ['1'], 1: 'a signing secret that only tests ever use' }));

const keyFile = join(folder, 'data-key.json');
writeFileSync(keyFile, JSON.stringify({ key: Buffer.alloc(32, 'only tests use it').toString('base64url') }));

const sealKeyFile = join(folder, 'seal-key.json');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
writeFileSync(sealKeyFile, JSON.stringify(privateKey.export({ format: 'jwk' })));

const elsewhere = process.env.AWS_ENDPOINT_URL_DYNAMODB;
if (!elsewhere) globalThis.engineOfThisProcess ??= await startDynamoDb();
const file = `${process.pid}x${Date.now().toString(36)}`;
const tableName = `merchant-ops-test-${file}`;
// Letters and digits only, because DynamoDB Local uses the access key as the name of a database.
const accessKeyId = `test${file}`;
const mailbox = await startMailbox({ folder: (name) => join(folder, name) });
const bucket = 'merchant-ops-test-files';
const s3 = await startS3({
  folder: join(folder, 'objects'),
  bucket,
  region: 'us-east-1',
  accessKeyId,
  secretAccessKey: 'local',
  now: clock.now,
});
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: elsewhere ?? globalThis.engineOfThisProcess?.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: 'local',
  SECRET_FILE: secretFile,
  KEY_FILE: keyFile,
  SEAL_KEY_FILE: sealKeyFile,
  ...environmentOf(stageNamed('local')),
  BUCKET_NAME: bucket,
  AWS_ENDPOINT_URL_S3: s3.endpoint,
  // Mails and text messages go only to the local mailbox.
  ...mailboxVariables(mailbox.endpoint),
  TABLE_NAME: tableName,
});
const client = new DynamoDBClient({});
await createTable(client, tableName);

afterAll(async () => {
  // Otherwise, the engine would keep the table in memory until the process ends.
  await client.send(new DeleteTableCommand({ TableName: tableName }));
  client.destroy();
  await s3.stop();
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
