import { PublishCommand, type PublishCommandInput, SNSClient } from '@aws-sdk/client-sns';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { type Right, rightsOf, statementsWith } from '../../infra/rights/endpoint-rights.ts';
import {
  consumerStatements,
  relayStatements,
  scheduleStatements,
  signsSeals,
} from '../../infra/rights/event-rights.ts';
import type { Statement } from '../../infra/rights/statement.ts';
import { accountKey, listedAccountAcrossAccountsKey, slaPolicyKey } from '../../shared/accounts/keys.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { prewarmFor } from '../../shared/http/prewarm.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { loginFailuresAcrossAccountsKey } from '../../shared/people/sessions/keys.ts';
import {
  emailAcrossAccountsKey,
  passwordTokenAcrossAccountsKey,
  userKey,
} from '../../shared/people/users/keys.ts';
import { object } from '../../shared/schema.ts';
import { dataKeysKey, sessionKey } from '../../shared/security/keys.ts';
import { tableName } from '../../shared/table/client.ts';
import { readDue } from '../../shared/table/due.ts';
import { recordKey, tenantPartition, totalsKey } from '../../shared/table/keys.ts';
import { deleteItem } from '../../shared/table/operations.ts';
import { getItem, getItems, queryItems } from '../../shared/table/read.ts';
import { validatorsOf } from '../harness/compiled.ts';
import { documents } from '../harness/documents.ts';
import { takeDenied } from '../harness/rights.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { runAs } from '../harness/wire.ts';

let acme: Tenant;
let account: AccountId;
beforeAll(async () => {
  acme = await tenant();
  account = acme.accountId;
});

const contracts = (await loadEndpoints()).map(({ endpoint }) => endpoint.contract);

const oneLead = () => acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });

/** Runs `runEndpoint` as a function that has only these statements. Returns the denied requests. */
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

describe('a function without a right', () => {
  test('a function without a right gets AccessDeniedException, and its caller gets a 500', async () => {
    const { id } = await oneLead();
    const before = await acme.key.ok(readLead, { params: { leadId: id } });
    const sneaky = endpoint({
      method: 'POST',
      path: '/sneak',
      permission: 'writeLeads',
      response: object({}),
      summary: 'Deletes a lead, but its contract does not declare writes',
      decide: () => ({ response: {}, writes: [deleteItem(recordKey(account, 'LEAD', id))], events: [] }),
    });
    expect((await acme.key.call(sneaky)).status).toBe(500);
    const { pk } = recordKey(account, 'LEAD', id);
    expect(takeDenied()).toEqual([`POST /sneak: dynamodb:DeleteItem on table in ${pk}`]);
    expect(await acme.key.ok(readLead, { params: { leadId: id } })).toEqual(before);
  });

  test('a function that only reads can append events, but cannot write to other partitions', async () => {
    const put = (key: object) => () =>
      documents.send(new PutCommand({ TableName: tableName(), Item: { ...key } }));
    expect(await deniedTo(readOnly, put(eventKey(account, 7)))).toEqual([]);
    expect(await deniedTo(readOnly, put(totalsKey(account, 98)))).toHaveLength(1);
    expect(await deniedTo(readOnly, put(recordKey(account, 'LEAD', 7)))).toHaveLength(1);
    expect(await deniedTo(readOnly, put({ pk: `x${eventKey(account, 7).pk}`, sk: '1' }))).toHaveLength(1);
  });

  test('a function with read-only rights may send the requests of its init phase', async () => {
    const options = { clock: () => new Date(), api: describeApi([]) };
    const prewarm = prewarmFor(readLead, validatorsOf(readLead.contract), options);
    expect(await deniedTo(readOnly, prewarm)).toEqual([]);
  });

  test('an endpoint can query the indexes of an account, but not the index of due items, which spans all accounts', async () => {
    for (const index of ['list', 'state', 'holder'] as const)
      expect(await deniedTo(readOnly, () => queryItems({ partition: 'ACCOUNT#a#LEAD', index }))).toEqual([]);
    const everyRight = statementsWith(['table:read', 'table:write', 'calls:count', 'events:append']);
    expect(
      await deniedTo(everyRight, () => readDue({ noun: 'TICKET', shard: 1, before: new Date(), limit: 1 })),
    ).toEqual(['trial: dynamodb:Query on table/index/due in DUE#TICKET#1']);
  });

  test('a function needs the rights for sign-ins or for finding emails to access items outside of accounts', async () => {
    const across = {
      emails: emailAcrossAccountsKey('ada@example.com'),
      tokens: passwordTokenAcrossAccountsKey('digest'),
      failures: loginFailuresAcrossAccountsKey('failures', { source: '192.0.2.1' }),
      accounts: listedAccountAcrossAccountsKey(account),
    };
    const accessible = async (...rights: Right[]) => {
      const found: string[] = [];
      for (const [what, key] of Object.entries(across)) {
        if ((await deniedTo(statementsWith(rights), () => getItems([key]))).length === 0) found.push(what);
        const put = () => documents.send(new PutCommand({ TableName: tableName(), Item: key }));
        if ((await deniedTo(statementsWith(rights), put)).length === 0) found.push(`${what}: write`);
      }
      return found;
    };
    expect(await accessible('table:read', 'table:write', 'calls:count', 'events:append')).toEqual([]);
    expect(await accessible('table:read', 'table:write', 'emails:find')).toEqual(['emails']);
    expect(await accessible('table:read', 'table:write', 'sign-ins:keep')).toEqual(
      ['emails', 'tokens', 'failures'].flatMap((what) => [what, `${what}: write`]),
    );
  });

  test('only sign-in and user endpoints may change items outside of accounts, and only endpoints that accept emails may look up emails', async () => {
    const having = (right: Right) =>
      contracts.filter((contract) => rightsOf(contract).includes(right)).map(({ path }) => path);
    expect(
      having('sign-ins:keep').filter((path) => !/^\/(auth|users|scim\/v2\/Users)(\/|$)/.test(path)),
    ).toEqual([]);
    expect(having('sign-ins:keep')).toEqual(expect.arrayContaining(['/auth/login', '/users']));
    // The administrator of a new account is a new user, too.
    expect(having('account:create')).toEqual(['/accounts']);
    expect([...new Set(having('emails:find').map((path) => path.split('/')[1]))].sort()).toEqual([
      'accounts',
      'applications',
      'events',
      'lead-rotations',
      'leads',
      'merchants',
      'provisioning',
      'reassignments',
      'scim',
      'ticket-rotations',
      'tickets',
      'underwriting-rules',
      'users',
      'views',
    ]);
  });

  test('a right to read the record of an account includes no other item of the account', async () => {
    const keys = {
      account: accountKey(account),
      session: sessionKey(account, 'session'),
      application: recordKey(account, 'APPLICATION', 'app_0123456789'),
      merchant: recordKey(account, 'MERCHANT', 7),
      dataKeys: dataKeysKey(account),
      formerPolicy: slaPolicyKey(account, 1),
    };
    const others: Partial<Record<QueueName, string[]>> = {
      notifications: [],
      messages: [],
      // A reassignment changes applications and merchants, and reads the policy that the clock of a ticket follows.
      jobs: ['application', 'merchant', 'formerPolicy'],
      // The partner's events also change applications and create the MIDs of merchants, and its requests need data keys.
      partner: ['application', 'merchant', 'dataKeys', 'formerPolicy'],
    };
    for (const queue of Object.keys(others) as QueueName[]) {
      const readable: string[] = [];
      for (const [name, key] of Object.entries(keys))
        if ((await deniedTo(consumerStatements(queue), () => getItem(key))).length === 0) readable.push(name);
      expect(readable, queue).toEqual(['account', ...(others[queue] ?? [])]);
    }
  });

  test('a consumer that reads for several messages at once may read all that they need in one request', async () => {
    const keysFor = {
      notifications: [
        accountKey(account),
        recordKey(account, 'MEMBER', 1),
        userKey(account, 1),
        { pk: tenantPartition(account, 'ROLES'), sk: '1' },
      ],
      webhooks: [{ pk: tenantPartition(account, 'WEBHOOKS'), sk: '1' }],
    };
    for (const [queue, keys] of Object.entries(keysFor))
      expect(await deniedTo(consumerStatements(queue as QueueName), () => getItems(keys)), queue).toEqual([]);
  });

  test('only the consumer of sealing may use the seal key', async () => {
    const using = queueNames.filter((queue) => signsSeals(consumerStatements(queue)));
    expect(using).toEqual(['sealing']);
    const others = [
      ...contracts.map((contract) => statementsWith(rightsOf(contract))),
      ...(await loadSchedules()).map(({ schedule }) => scheduleStatements(schedule)),
      relayStatements,
    ];
    expect(others.filter(signsSeals)).toEqual([]);
  });

  test('only endpoints that create or change an account, its vanity domain or its single sign-on may write its record', async () => {
    const writing = contracts.filter((contract) => rightsOf(contract).includes('account:write'));
    expect(writing.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /accounts',
      'DELETE /accounts/{id}',
      'POST /accounts/{id}/move',
      'POST /accounts/{id}/reopen',
      'PUT /accounts/{id}/permissions',
      'PUT /accounts/{id}/type',
      'PUT /accounts/{id}/body-capture',
      'DELETE /accounts/{id}/body-capture',
      'PATCH /accounts/{id}',
      'POST /domains/{id}/activate',
      'DELETE /domains/{id}',
      'POST /domains/{id}/validate',
      // The domains for which the account enforces single sign-on.
      'POST /sso-connections',
      'DELETE /sso-connections/{id}',
      'PATCH /sso-connections/{id}',
    ]);
    const put = () =>
      documents.send(new PutCommand({ TableName: tableName(), Item: accountKey('acc_none' as AccountId) }));
    expect(await deniedTo(statementsWith(['table:read', 'table:write']), put)).toHaveLength(1);
    expect(await deniedTo(statementsWith(['table:read', 'table:write', 'account:write']), put)).toEqual([]);
  });

  test('a function that sends text messages cannot publish to a topic, such as the topic of the alarms', async () => {
    const TopicArn = 'arn:aws:sns:eu-central-1:123456789012:merchant-ops-prod-alarms';
    const deniedWith = async (target: Partial<PublishCommandInput>) => {
      const command = new PublishCommand({ Message: 'hello', ...target });
      const as = { functionName: 'trial', statements: consumerStatements('messages') };
      await runAs(as, () => new SNSClient({}).send(command)).catch(() => undefined);
      return takeDenied();
    };
    expect(await deniedWith({ TopicArn })).toEqual([`trial: sns:Publish on ${TopicArn}`]);
    expect(await deniedWith({ PhoneNumber: '+14155550134' })).toEqual([]);
  });

  test('a denied request is recorded even if the function catches the error', async () => {
    await runAs({ functionName: 'trial', statements: [] }, () =>
      getItems([recordKey(account, 'LEAD', 1)]).catch(() => undefined),
    );
    expect(takeDenied()).toEqual([expect.stringContaining('trial: dynamodb:BatchGetItem on table')]);
  });
});
