import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { errorsByClass, lighterBundles } from '../../infra/build/lighter-bundles.ts';
import type * as passkeys from '../../shared/people/factors/verify-passkey.ts';
import { tableName } from '../../shared/table/client.ts';
import { type Attestation, Authenticator } from '../harness/authenticator.ts';

const folder = mkdtempSync(join(root, '.build-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles the module with the plugin and imports it. */
async function bundled<M>(contents: string): Promise<M> {
  const outfile = join(folder, 'bundle.cjs');
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    plugins: [lighterBundles],
    logLevel: 'silent',
  });
  return import(pathToFileURL(outfile).href);
}
const lighter = await bundled<{ dynamodb: typeof dynamodb; kms: typeof kms } & typeof passkeys>(
  `export * as dynamodb from '@aws-sdk/client-dynamodb';
  export * as kms from '@aws-sdk/client-kms';
  export * from './shared/accounts/schema.ts';
  export * from './shared/channels/terms.ts';
  export * from './shared/people/factors/verify-passkey.ts';
  export * from './shared/search/dialing-codes.ts';
  export * from './shared/schema.ts';`,
);

test('a build fails with a list of all edits of dependencies that match no code', async () => {
  const failures = (edits: string[]) => ({
    errors: edits.map((edit) => ({ text: expect.stringContaining(`The edit of ${edit} in `) })),
  });
  const replaced = [
    '@aws-sdk/credential-provider-node',
    '@smithy/core/event-streams',
    '@aws-sdk/endpoint-cache',
  ];
  const edits = [
    'Sha256Js',
    'DefaultRateLimiter',
    'package.json',
    'date-utils',
    'schemas',
    'dialing',
    'channels',
    'errors',
  ];
  await expect(bundled(`export * from './shared/schema.ts';`)).rejects.toMatchObject(
    failures([...replaced, ...edits]),
  );
  await expect(bundled(`export * from '@aws-sdk/client-dynamodb';`)).rejects.toMatchObject(
    failures(['typebox', 'schemas', 'dialing', 'channels']),
  );
});

/** Returns the error properties that our code and the SDK's retries read. */
const failure = async (running: Promise<unknown>) => {
  const error = await running.then(
    () => expect.fail('no error was thrown'),
    (thrown: Error & Partial<dynamodb.TransactionCanceledException>) => thrown,
  );
  const { name, message, $fault, $retryable, $metadata, CancellationReasons } = error;
  return { name, message, $fault, $retryable, status: $metadata?.httpStatusCode, CancellationReasons };
};

const Key = { pk: { S: 'LIGHTER' }, sk: { S: 'RECORD' } };
const absent = 'attribute_not_exists(pk)';
const { dynamodb: light } = lighter;

test.each<[string, (of: typeof dynamodb, client: dynamodb.DynamoDBClient) => Promise<unknown>]>([
  [
    'TransactionCanceledException',
    ({ TransactWriteItemsCommand }, client) => {
      const put = {
        TableName: tableName(),
        Item: Key,
        ConditionExpression: absent,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };
      return client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }] }));
    },
  ],
  [
    'ConditionalCheckFailedException',
    ({ PutItemCommand }, client) =>
      client.send(new PutItemCommand({ TableName: tableName(), Item: Key, ConditionExpression: absent })),
  ],
  [
    'ResourceNotFoundException',
    ({ GetItemCommand }, client) => client.send(new GetItemCommand({ TableName: 'nowhere-at-all', Key })),
  ],
  [
    'ValidationException',
    ({ GetItemCommand }, client) => client.send(new GetItemCommand({ TableName: tableName(), Key: {} })),
  ],
])('a %s of DynamoDB is the same with and without bundling', async (name, fail) => {
  const [full, small] = [new dynamodb.DynamoDBClient(), new light.DynamoDBClient()];
  await small.send(new light.PutItemCommand({ TableName: tableName(), Item: Key }));
  const found = await failure(fail(light, small));
  expect(found).toEqual(await failure(fail(dynamodb, full)));
  expect(found.name).toBe(name);
  expect(found.message).toMatch(/\w/);
  if (name === 'TransactionCanceledException')
    expect(found.CancellationReasons).toMatchObject([{ Code: 'ConditionalCheckFailed', Item: Key }]);
  const error = await fail(light, small).catch((thrown: unknown) => thrown);
  expect(error instanceof light.TransactionCanceledException).toBe(name === 'TransactionCanceledException');
  expect(error instanceof light.ConditionalCheckFailedException).toBe(
    name === 'ConditionalCheckFailedException',
  );
});

test.each([
  ['NotFoundException', 400],
  ['KMSInternalException', 500],
  ['ThrottlingException', 400],
])('a %s of KMS is the same with and without bundling', async (name, status) => {
  const server = createServer((_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify({ __type: name, message: 'Alias is not found.' })),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const decrypting = ({ KMSClient, DecryptCommand }: typeof kms) =>
    new KMSClient({ endpoint, maxAttempts: 1 }).send(
      new DecryptCommand({ CiphertextBlob: Buffer.from('x') }),
    );
  const found = await failure(decrypting(lighter.kms));
  expect(found).toEqual(await failure(decrypting(kms)));
  expect(found).toMatchObject({ name, message: 'Alias is not found.', status });
  server.close();
});

test('bundles keep exactly the error classes that our code imports', () => {
  const files = ['shared', 'events', 'functions'].flatMap((below) =>
    readdirSync(join(root, below), { recursive: true, encoding: 'utf8' }).map((file) => join(below, file)),
  );
  const named = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^import (?!type)\{([^}]+)\} from '@aws-sdk\/client-(?:dynamodb|kms|secrets-manager)'/gm,
      ),
    ])
    .flatMap(([, names = '']) => names.split(',').map((one) => one.trim()))
    .filter((one) => /(Exception|Error|Failure|Exceeded)$/.test(one));
  expect([...new Set(named)].sort()).toEqual([...errorsByClass].sort());
});

describe('the code for passkeys', () => {
  const challenge = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA';
  const rpId = 'localhost';
  const code = 'passkey_rejected';
  const createdBy = (authenticator: Authenticator, attestation?: Attestation) =>
    authenticator.create({ rp: { id: rpId }, user: { id: 'MQ' }, challenge }, { attestation });

  test.each(['none', 'packed'] as const)(
    'verifies a passkey with the attestation %s',
    async (attestation) => {
      const authenticator = new Authenticator();
      const known = await lighter.verifyNewPasskey(createdBy(authenticator, attestation), challenge);
      const use = authenticator.use({ challenge, rpId });
      expect(await lighter.verifyPasskeyUse(use, challenge, known)).toBe(1);
      const forged = { ...use, response: { ...use.response, signature: 'MAYCAQECAQE' } };
      await expect(lighter.verifyPasskeyUse(forged, challenge, known)).rejects.toMatchObject({ code });
      await expect(lighter.verifyPasskeyUse(use, 'other', known)).rejects.toMatchObject({ code });
    },
  );

  test('rejects a passkey with an attestation by a certificate', async () => {
    const created = createdBy(new Authenticator(), 'apple');
    await expect(lighter.verifyNewPasskey(created, challenge)).rejects.toMatchObject({ code });
  });
});
