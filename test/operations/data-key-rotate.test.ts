import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeAddresses } from '../../infra/administration/addresses.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { tenant } from '../harness/tenant.ts';

const rotate = operatorsCommand('data-keys', 'rotate');

test('adds a data key to an account, and the next value is encrypted with this key', async () => {
  const { accountId, key } = await tenant();
  const none = await rotate.here('--account', accountId, '--stage', 'local');
  expect(none).toEqual({
    code: 1,
    stdout: '',
    stderr: `Account ${accountId} has no data key yet. The first key is created with the first sensitive value.\n`,
  });
  const body = { record: 'merchant:1', field: 'banking.accountNumber', plain: '1' };
  await key.ok(keepSecret, { body });
  const { code, stdout, stderr } = await rotate.here('--account', accountId, '--stage', 'local');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ accountId, kid: '2' });
  const { jwe } = await key.ok(keepSecret, { body });
  expect(JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
    kid: '2',
  });
});

test('without --stage, the command uses the table and the key of the local service', async () => {
  const { accountId, key } = await tenant();
  await key.ok(keepSecret, { body: { record: 'merchant:1', field: 'banking.accountNumber', plain: '1' } });
  const folder = temporaryFolder();
  writeAddresses(join(folder, 'runner.json'), {
    region: 'us-east-1',
    tableName: process.env.TABLE_NAME ?? '',
    dynamoDb: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    sqs: '',
    s3: '',
    bucketName: '',
    queues: [],
    smtpPort: 0,
    relayDeadLetterUrl: '',
  });
  copyFileSync(process.env.KEY_FILE ?? '', join(folder, 'data-key.json'));
  vi.stubEnv('DATA_DIR', folder);
  for (const name of ['TABLE_NAME', 'KEY_FILE', 'STAGE']) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stdout, stderr } = await rotate.asProcess('--account', accountId);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ accountId, kid: '2' });
});

test.each([
  [[], 2, '--account needs a value. See --help.\n'],
  [['--account', 'a#b'], 2, '--account must be an account id.\n'],
  [['--account', 'acc_nowhere', '--stage', 'local'], 1, 'No account acc_nowhere in this table.\n'],
])('explains the invalid options %j and exits with %i', async (args, code, stderr) => {
  expect(await rotate.here(...args)).toEqual({ code, stdout: '', stderr });
});
