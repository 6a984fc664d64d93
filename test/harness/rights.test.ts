import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { consumerHandler } from '../../events/consumer.ts';
import audit from '../../events/consumers/audit.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type Right, rightsOf, statementsWith } from '../../infra/rights/endpoint-rights.ts';
import { consumerStatements, relayStatements } from '../../infra/rights/event-rights.ts';
import { partitions } from '../../infra/rights/partitions.ts';
import type { Statement } from '../../infra/rights/statement.ts';
import { listedAccountAcrossAccountsKey } from '../../shared/accounts/keys.ts';
import {
  copyObject,
  deleteObject,
  findObject,
  presignDownload,
  presignUpload,
  readStart,
} from '../../shared/documents/bucket.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { commit } from '../../shared/events/outbox.ts';
import { prewarm } from '../../shared/http/prewarm.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { loginFailuresAcrossAccountsKey } from '../../shared/people/sessions/keys.ts';
import { emailAcrossAccountsKey, passwordTokenAcrossAccountsKey } from '../../shared/people/users/keys.ts';
import { object } from '../../shared/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { readDue } from '../../shared/table/due.ts';
import { listPartition, recordKey, totalsKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItems, queryItems } from '../../shared/table/read.ts';
import { clock } from './clock.ts';
import { documents } from './documents.ts';
import { drain, newStreamRecords } from './drain.ts';
import { storedEvents } from './raw-table.ts';
import { takeDenied } from './rights.ts';
import { type Tenant, tenant } from './tenant.ts';
import { runAs } from './wire.ts';

let acme: Tenant;
let account: AccountId;
beforeAll(async () => {
  acme = await tenant();
  account = acme.accountId;
});

const contracts = (await loadEndpoints()).map(({ endpoint }) => endpoint.contract);

const oneLead = () => acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
const deadline = () => Date.now() + 1000;

/** What a function with this policy is denied when it does something. */
async function deniedTo(
  statements: readonly Statement[],
  runEndpoint: () => Promise<unknown>,
): Promise<string[]> {
  const failure = await runAs({ functionName: 'trial', statements }, runEndpoint).then(
    () => undefined,
    (error: Error) => error,
  );
  const denied = takeDenied();
  expect(failure?.name).toBe(denied.length > 0 ? 'AccessDeniedException' : undefined);
  return denied;
}

const readOnly = statementsWith(['table:read', 'calls:count', 'events:append', 'secret:read']);
const without = (action: string, statements: readonly Statement[]): Statement[] =>
  statements.map((statement) => ({
    ...statement,
    actions: statement.actions.filter((one) => one !== action),
  }));

describe('a function without a right', () => {
  test('a function without a right hears AccessDeniedException from the table, and its caller 500', async () => {
    const { id } = await oneLead();
    const before = await acme.key.ok(readLead, { params: { leadId: id } });
    const sneaky = endpoint(
      {
        method: 'POST',
        path: '/sneak',
        openToMembers: true,
        response: object({}),
        summary: 'Removes a lead, and does not say that it writes',
      },
      { decide: () => ({ response: {}, writes: [deleteItem(recordKey(account, 'LEAD', id))], events: [] }) },
    );
    expect((await acme.key.call(sneaky)).status).toBe(500);
    const { pk } = recordKey(account, 'LEAD', id);
    expect(takeDenied()).toEqual([`POST /sneak: dynamodb:DeleteItem on table in ${pk}`]);
    expect(await acme.key.ok(readLead, { params: { leadId: id } })).toEqual(before);
  });

  test('a function without a right is denied each part of a transaction by itself', async () => {
    const write = () =>
      commit({
        writes: [
          putItem({ ...recordKey(account, 'TEAM', 7), type: 'team' }),
          deleteItem(totalsKey(account, 99)),
        ],
        events: [],
        deadline: deadline(),
      });
    const all = statementsWith(['table:write']);
    expect(await deniedTo(all, write)).toEqual([]);
    for (const action of ['dynamodb:PutItem', 'dynamodb:DeleteItem'])
      expect(await deniedTo(without(action, all), write)).toEqual([expect.stringContaining(action)]);
  });

  test('a function that only reads counts its caller and tells of a limit, and writes in no other partition', async () => {
    const put = (key: object) => () =>
      documents.send(new PutCommand({ TableName: tableName(), Item: { ...key } }));
    expect(await deniedTo(readOnly, put(eventKey(account, 7)))).toEqual([]);
    expect(await deniedTo(readOnly, put(totalsKey(account, 98)))).toHaveLength(1);
    expect(await deniedTo(readOnly, put(recordKey(account, 'LEAD', 7)))).toHaveLength(1);
    expect(await deniedTo(readOnly, put({ pk: `x${eventKey(account, 7).pk}`, sk: '1' }))).toHaveLength(1);
  });

  test('a function may read what it opens its connection with', async () => {
    expect(await deniedTo(readOnly, prewarm)).toEqual([]);
  });

  test('a function without a right reads an index only where its policy names the index', async () => {
    const list = () => queryItems({ partition: listPartition(account, 'LEAD'), index: 'list', limit: 1 });
    const query = (resources: Statement['resources']) => [
      { sid: 'Query', actions: ['dynamodb:Query'], resources },
    ];
    expect(await deniedTo(query(['table', 'table/index/list']), list)).toEqual([]);
    expect(await deniedTo(query(['table']), list)).toEqual([
      `trial: dynamodb:Query on table/index/list in ${listPartition(account, 'LEAD')}`,
    ]);
  });

  test('an endpoint reads the indexes of an account, and never what is due across accounts', async () => {
    for (const index of ['list', 'state', 'holder'] as const)
      expect(await deniedTo(readOnly, () => queryItems({ partition: 'ACCOUNT#a#LEAD', index }))).toEqual([]);
    const everyRight = statementsWith(['table:read', 'table:write', 'calls:count', 'events:append']);
    expect(
      await deniedTo(everyRight, () => readDue({ noun: 'TICKET', shard: 1, before: new Date(), limit: 1 })),
    ).toEqual(['trial: dynamodb:Query on table/index/due in DUE#1']);
  });

  test('a function reaches what stands across accounts only where it signs somebody in or looks up a name', async () => {
    const across = {
      emails: emailAcrossAccountsKey('ada@example.com'),
      tokens: passwordTokenAcrossAccountsKey('digest'),
      failures: loginFailuresAcrossAccountsKey('digest'),
      accounts: listedAccountAcrossAccountsKey(account),
    };
    const reached = async (...rights: Right[]) => {
      const found: string[] = [];
      for (const [what, key] of Object.entries(across)) {
        if ((await deniedTo(statementsWith(rights), () => getItems([key]))).length === 0) found.push(what);
        const put = () => documents.send(new PutCommand({ TableName: tableName(), Item: key }));
        if ((await deniedTo(statementsWith(rights), put)).length === 0) found.push(`${what}, to change them`);
      }
      return found;
    };
    expect(await reached('table:read', 'table:write', 'calls:count', 'events:append')).toEqual([]);
    expect(await reached('table:read', 'table:write', 'emails:find')).toEqual(['emails']);
    expect(await reached('table:read', 'table:write', 'sign-ins:keep')).toEqual(
      ['emails', 'tokens', 'failures'].flatMap((what) => [what, `${what}, to change them`]),
    );
  });

  test('the endpoints of sign-ins and users alone keep what stands across accounts, and no other finds an email but by a name in its request', async () => {
    const having = (right: Right) =>
      contracts.filter((contract) => rightsOf(contract).includes(right)).map(({ path }) => path);
    expect(having('sign-ins:keep').filter((path) => !/^\/(auth|users)(\/|$)/.test(path))).toEqual([]);
    expect(having('sign-ins:keep')).toEqual(expect.arrayContaining(['/auth/login', '/users']));
    expect([...new Set(having('emails:find').map((path) => path.split('/')[1]))].sort()).toEqual([
      'applications',
      'events',
      'lead-rotations',
      'leads',
      'ticket-rotations',
      'tickets',
      'users',
    ]);
  });

  test('a function without a right reads many keys at once only where it may read them all', async () => {
    const read = () => getItems([recordKey(account, 'LEAD', 1), recordKey(account, 'TEAM', 1)]);
    expect(await deniedTo(readOnly, read)).toEqual([]);
    const ofLeads: Statement = {
      sid: 'ReadLeads',
      actions: ['dynamodb:BatchGetItem'],
      resources: ['table'],
      leadingKeys: [partitions.recordsOf('LEAD')],
    };
    expect(await deniedTo([ofLeads], read)).toHaveLength(1);
    expect(await deniedTo([ofLeads], () => getItems([recordKey(account, 'LEAD', 1)]))).toEqual([]);
  });

  test('a function without a right queries a partition only where its leading keys fit, in whatever order the condition names it', async () => {
    const partition = recordKey(account, 'TEAM', 1).pk;
    for (const KeyConditionExpression of ['#sk = :sk AND #pk = :pk', '#pk = :pk AND #sk = :sk']) {
      const query = () =>
        documents.send(
          new QueryCommand({
            TableName: tableName(),
            KeyConditionExpression,
            ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
            ExpressionAttributeValues: { ':pk': partition, ':sk': 'RECORD' },
          }),
        );
      expect(await deniedTo(consumerStatements('audit'), query)).toEqual([
        `trial: dynamodb:Query on table in ${partition}`,
      ]);
    }
  });

  test('a function without a right reaches no other table and no other queue', async () => {
    const elsewhere = () =>
      documents.send(new PutCommand({ TableName: 'elsewhere', Item: { pk: 'a', sk: 'b' } }));
    expect(await deniedTo(statementsWith(['table:write']), elsewhere)).toHaveLength(1);
    const sqs = new SQSClient({ useQueueUrlAsEndpoint: false, endpoint: process.env.AWS_ENDPOINT_URL_SQS });
    const send = (QueueUrl?: string) => () =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    const { QUEUE_URL_AUDIT } = process.env;
    expect(await deniedTo(relayStatements, send(QUEUE_URL_AUDIT?.replace('audit', 'other')))).toHaveLength(1);
    expect(await deniedTo(consumerStatements('audit'), send(QUEUE_URL_AUDIT))).toHaveLength(1);
    await newStreamRecords();
  });

  test('a function without a right to files neither reaches an object nor signs for one', async () => {
    const timing = { now: clock.now(), deadline: deadline() };
    const window = { now: clock.now(), seconds: 60 };
    const file = { contentType: 'image/png', size: 1, sha256: '00'.repeat(32) };
    const doing: Record<string, () => Promise<unknown>> = {
      upload: () => presignUpload('incoming/a', file, window),
      'upload elsewhere': () => presignUpload('documents/a', file, window),
      download: () => presignDownload('documents/a', { fileName: 'a', ...file }, window),
      look: () => findObject('incoming/a', timing),
      'look elsewhere': () => findObject('documents/a', timing),
      read: () => readStart('incoming/a', 1, timing),
      copy: () => copyObject('incoming/a', 'documents/a', '"a"', timing),
      'copy back': () => copyObject('documents/a', 'incoming/a', '"a"', timing),
      remove: () => deleteObject('documents/a', timing),
    };
    const allowedTo = async (right: Right): Promise<string[]> => {
      const allowed = [];
      for (const [what, run] of Object.entries(doing)) {
        await runAs({ functionName: 'trial', statements: statementsWith([right]) }, () =>
          run().catch(() => undefined),
        );
        if (takeDenied().length === 0) allowed.push(what);
      }
      return allowed;
    };
    expect(await allowedTo('table:write')).toEqual([]);
    expect(await allowedTo('files:upload')).toEqual(['upload']);
    expect(await allowedTo('files:take')).toEqual(['upload elsewhere', 'look', 'read', 'copy']);
    expect(await allowedTo('files:download')).toEqual(['download']);
  });

  test('a function without a right is seen to lack it even where it catches the failure', async () => {
    await runAs({ functionName: 'trial', statements: [] }, () =>
      getItems([recordKey(account, 'LEAD', 1)]).catch(() => undefined),
    );
    expect(takeDenied()).toEqual([expect.stringContaining('trial: dynamodb:BatchGetItem on table')]);
  });

  test('the audit function without dynamodb:Query lacks a right that a deletion needs and a creation does not', async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    await drain();
    const { id } = await oneLead();
    await acme.key.ok(deleteLead, { params: { leadId: id } });
    const events = (await storedEvents(account)).filter(
      ({ subject }) => (subject as { id: unknown }).id === id,
    );
    const Records = events.map((event) => ({ messageId: String(event.kind), body: JSON.stringify(event) }));
    const consume = (statements: Statement[]) =>
      runAs({ functionName: 'trial', statements }, () => consumerHandler(audit)({ Records } as SQSEvent));
    const all = consumerStatements('audit');
    expect(await consume(without('dynamodb:Query', all))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'lead_deleted' }],
    });
    expect(new Set(takeDenied())).toEqual(
      new Set([`trial: dynamodb:Query on table in ${recordKey(account, 'LEAD', id).pk}`]),
    );
    expect(await consume(all)).toEqual({ batchItemFailures: [] });
  });
});
