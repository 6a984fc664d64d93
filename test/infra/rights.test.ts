import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { type Right, rightsOf, statementsWith } from '../../infra/rights/endpoint-rights.ts';
import type { Statement } from '../../infra/rights/statement.ts';
import { listedAccountAcrossAccountsKey } from '../../shared/accounts/keys.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { prewarm } from '../../shared/http/prewarm.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { loginFailuresAcrossAccountsKey } from '../../shared/people/sessions/keys.ts';
import { emailAcrossAccountsKey, passwordTokenAcrossAccountsKey } from '../../shared/people/users/keys.ts';
import { object } from '../../shared/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { readDue } from '../../shared/table/due.ts';
import { recordKey, totalsKey } from '../../shared/table/keys.ts';
import { deleteItem } from '../../shared/table/operations.ts';
import { getItems, queryItems } from '../../shared/table/read.ts';
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

describe('a function without a right', () => {
  test('a function without a right hears AccessDeniedException from the table, and its caller 500', async () => {
    const { id } = await oneLead();
    const before = await acme.key.ok(readLead, { params: { leadId: id } });
    const sneaky = endpoint({
      method: 'POST',
      path: '/sneak',
      permission: 'writeLeads',
      response: object({}),
      summary: 'Removes a lead, and does not say that it writes',
      decide: () => ({ response: {}, writes: [deleteItem(recordKey(account, 'LEAD', id))], events: [] }),
    });
    expect((await acme.key.call(sneaky)).status).toBe(500);
    const { pk } = recordKey(account, 'LEAD', id);
    expect(takeDenied()).toEqual([`POST /sneak: dynamodb:DeleteItem on table in ${pk}`]);
    expect(await acme.key.ok(readLead, { params: { leadId: id } })).toEqual(before);
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

  test('a function without a right is seen to lack it even where it catches the failure', async () => {
    await runAs({ functionName: 'trial', statements: [] }, () =>
      getItems([recordKey(account, 'LEAD', 1)]).catch(() => undefined),
    );
    expect(takeDenied()).toEqual([expect.stringContaining('trial: dynamodb:BatchGetItem on table')]);
  });
});
