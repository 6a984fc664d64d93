import { expect, onTestFinished, test } from 'vitest';
import { CannotStart } from '../../infra/administration/cannot-start.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { readSettings, resourcePrefix } from '../../infra/local/settings.ts';
import { nameIn, stageNamed } from '../../infra/stages.ts';

test('by default the runner uses port 3000 and the folder .local', () => {
  expect(readSettings({}, [])).toMatchObject({ port: 3000, dataFolder: '.local', ephemeral: false });
  expect(readSettings({}, ['--ephemeral']).ephemeral).toBe(true);
});

test('default settings are the settings of the stage local', () => {
  const stage = stageNamed('local');
  const settings = readSettings({}, []);
  expect(settings).toMatchObject({ stage, tableName: nameIn(stage), corsOrigins: stage.allowedOrigins });
  expect(readSettings({ CORS_ORIGINS: 'http://a.test,http://b.test' }, []).corsOrigins).toHaveLength(2);
  expect(readSettings({ CORS_ORIGINS: '' }, []).corsOrigins).toEqual([]);
});

test('an existing endpoint can be set for one AWS service or for all AWS services', () => {
  const all = readSettings({ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, []);
  expect(all).toMatchObject({
    dynamoDbEndpoint: 'http://127.0.0.1:4566/',
    streamsEndpoint: 'http://127.0.0.1:4566/',
    sqsEndpoint: 'http://127.0.0.1:4566/',
    s3Endpoint: 'http://127.0.0.1:4566/',
    messageServices: {
      AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:4566/',
      AWS_ENDPOINT_URL_SNS: 'http://127.0.0.1:4566/',
    },
  });
  const one = readSettings({ AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb.eu-west-1.amazonaws.com' }, []);
  expect(one.streamsEndpoint).toBe('https://streams.dynamodb.eu-west-1.amazonaws.com/');
  expect(one.sqsEndpoint).toBeUndefined();
});

test.each([
  [{ PORT: 'http' }, 'PORT is "http"'],
  [{ PORT: '65536' }, 'PORT is "65536"'],
  [{ PORT: '' }, 'PORT is ""'],
  [{ PORT: '-1' }, 'PORT is "-1"'],
  [{ TABLE_NAME: 'a b' }, 'TABLE_NAME is "a b"'],
  [{ TABLE_NAME: 'a'.repeat(51) }, 'TABLE_NAME is "aaa'],
  [{ CORS_ORIGINS: 'http://localhost:5173/' }, 'CORS_ORIGINS contains "http://localhost:5173/"'],
  [{ AWS_ENDPOINT_URL_SQS: 'localhost:4566' }, 'AWS_ENDPOINT_URL_SQS is "localhost:4566"'],
])('the error message for %o names the variable', (environment, message) => {
  expect(() => readSettings(environment as unknown as Record<string, string>, [])).toThrow(message);
});

test('a table name has at most 50 characters', () => {
  const TABLE_NAME = 'a'.repeat(50);
  expect(readSettings({ TABLE_NAME }, []).tableName).toBe(TABLE_NAME);
});

test('an SQS that cannot be reached is reported, and other errors of SQS are not changed', async () => {
  const refusing = await startLoopbackServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' });
    response.end('{"__type":"com.amazonaws.sqs#AccessDeniedException","message":"no rights"}');
  });
  await expect(startQueues({ endpoint: refusing.endpoint })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'no rights',
  });
  await refusing.stop();
  await expect(startQueues({ endpoint: refusing.endpoint })).rejects.toEqual(
    new CannotStart(`Cannot connect to SQS at ${refusing.endpoint}.`),
  );
});

test('an unknown option is rejected', () => {
  expect(() => readSettings({}, ['--port'])).toThrow('Unknown option --port');
});

test('two local services on one emulator use different queues and buckets', async () => {
  const emulator = await startQueues();
  onTestFinished(emulator.stop);
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
});
