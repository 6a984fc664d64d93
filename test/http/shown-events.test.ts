import { afterEach, expect, test } from 'vitest';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { object, string } from '../../shared/schema.ts';
import { putItem } from '../../shared/table/operations.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { takeDenied } from '../harness/rights.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
afterEach(noFaults);

const Secret = object({ secret: string() });
const shown = {
  response: { secret: 'four' },
  writes: [],
  events: [
    {
      kind: 'application_sensitive_data_revealed' as const,
      subject: { type: 'application' as const, id: 'app_one' },
      data: { fields: ['basics.dbaTaxId'] },
    },
  ],
};
const emits = ['application_sensitive_data_revealed'] as const;
const contract = {
  path: '/secrets',
  permission: 'readLeads',
  response: Secret,
  emits,
  summary: 'Show',
} as const;
const show = endpoint({ ...contract, method: 'GET', decide: () => shown });
const revealed = async () =>
  (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'application_sensitive_data_revealed');

test('a GET that shows sensitive values emits an event, with the rights for events and counters only', async () => {
  expect(await acme.key.ok(show)).toEqual({ secret: 'four' });
  expect(await revealed()).toMatchObject([
    {
      actor: { apiKey: acme.apiKey },
      subject: { type: 'application', id: 'app_one' },
      data: { fields: ['basics.dbaTaxId'] },
    },
  ]);
});

test('a GET that shows sensitive values cannot write records', async () => {
  const item = { pk: 'ACCOUNT#acme#LEAD#0000000000000007', sk: 'RECORD' };
  const writes = endpoint({
    ...contract,
    method: 'GET',
    decide: () => ({ ...shown, writes: [putItem(item)] }),
  });
  expect((await acme.key.call(writes)).status).toBe(500);
  expect(takeDenied()).toEqual([`GET /secrets: dynamodb:PutItem on table in ${item.pk}`]);
});

test('a GET whose event cannot be written is 503 and shows nothing', async () => {
  const before = await revealed();
  injectFaults({ conflicts: 1 });
  const { status, body } = await acme.key.call(show, { milliseconds: 1_200 });
  expect({ status, error: body.error }).toEqual({ status: 503, error: 'busy' });
  expect(JSON.stringify(body)).not.toContain('four');
  noFaults();
  expect(await revealed()).toEqual(before);
});

test('a PATCH without changes may emit that values were shown', async () => {
  const [before, patch] = [await revealed(), endpoint({ ...contract, method: 'PATCH', decide: () => shown })];
  expect(await acme.key.ok(patch)).toEqual({ secret: 'four' });
  expect(await revealed()).toHaveLength(before.length + 1);
});
