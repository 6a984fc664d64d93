import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { takesDryRun } from '../../shared/http/contract.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { call } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { type HappyPath, happyPath } from './happy-paths.ts';
import { nameOf } from './records.ts';

/** Those whose calls change who hears of anything, or who may sign in, have an account of their own. */
const apart = ['auth', 'users', 'webhooks', 'apikeys', 'accounts'];
const owners = new Map<string, Tenant>();
async function ownerOf({ contract }: Endpoint): Promise<Tenant> {
  const [, resource = ''] = contract.path.split('/');
  const name = apart.includes(resource) ? resource : 'the rest';
  const owner = owners.get(name) ?? (await tenant());
  owners.set(name, owner);
  return owner;
}

interface Prepared {
  name: string;
  endpoint: Endpoint;
  sent: HappyPath;
}

const all = await loadEndpoints();
const prepared: Prepared[] = [];
for (const { endpoint } of all.filter(({ endpoint }) => takesDryRun(endpoint.contract)))
  prepared.push({
    name: nameOf(endpoint.contract),
    endpoint,
    sent: await happyPath(endpoint, all, await ownerOf(endpoint)),
  });
await drain();

const dryRun = ({ endpoint, sent }: Prepared) =>
  call(endpoint, { ...(sent as object), query: { ...sent.query, dryRun: true } });

const sqs = new SQSClient({ endpoint: process.env.AWS_ENDPOINT_URL_SQS });

/** All that is kept: each item of the table, each file of the bucket by its digest, each message that waits. */
async function everything() {
  const items = (await scanTable()).map((item) => [`${item.pk} ${item.sk}`, item] as const);
  const bucket = join(dirname(process.env.SECRET_FILE ?? ''), 'objects');
  const files = readdirSync(bucket, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(bucket, name)).isFile())
    .map(
      (name) =>
        [
          name,
          createHash('sha256')
            .update(readFileSync(join(bucket, name)))
            .digest('hex'),
        ] as const,
    );
  const messages = await Promise.all(
    queueNames.map(async (name) => {
      const asked = {
        QueueUrl: process.env[queueUrlVariable(name)],
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      };
      return [name, (await sqs.send(new ReceiveMessageCommand(asked))).Messages ?? []] as const;
    }),
  );
  return {
    items: Object.fromEntries(items),
    files: Object.fromEntries(files),
    messages: Object.fromEntries(messages),
  };
}

test('a dry run of every route that changes anything leaves the table, the bucket and the queues byte for byte as they were', async () => {
  const before = await everything();
  expect(prepared.length).toBeGreaterThan(100);
  expect(Object.keys(before.files).length).toBeGreaterThan(3);
  for (const one of prepared) {
    const { status, body } = await dryRun(one);
    expect({ name: one.name, status, body }).toMatchObject({ status: 200, body: { dryRun: true } });
  }
  expect(await everything()).toEqual(before);
});
