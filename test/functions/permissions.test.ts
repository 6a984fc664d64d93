import { expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listEventKinds from '../../functions/events/list-event-kinds.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import { allPermissions, eventCatalogue, eventKinds } from '../../shared/resources/derived.ts';
import { client, tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('GET /event-kinds lists every kind in catalogue order, and needs no permission', async () => {
  const { apiKey, apiSecret } = await acme.admin.ok(createApiKey, { body: { description: 'Holds nothing' } });
  const holdsNothing = client({ 'x-api-key': apiKey, 'x-api-secret': apiSecret ?? '' });
  const { data, totalCount } = await holdsNothing.ok(listEventKinds);
  expect(totalCount).toBe(eventKinds.length);
  expect(data.map(({ kind }) => kind)).toEqual(eventKinds);
  for (const { kind, description, subjectType, permission, schema } of data) {
    expect(description, kind).toMatch(/^[A-Z].*\.$|^[A-Z].*: .*\.$/);
    expect(subjectType, kind).toEqual(eventCatalogue[kind].subjects);
    expect(permission, kind).not.toEqual([]);
    expect(schema.type ?? schema.anyOf, kind).toBeDefined();
  }
});

test('GET /event-kinds returns the permissions, data schema and default recipients of a kind', async () => {
  const { data } = await acme.key.ok(listEventKinds);
  const byKind = new Map(data.map((entry) => [entry.kind, entry]));
  expect(byKind.get('lead_created')).toMatchObject({
    group: 'Leads',
    subjectType: ['lead'],
    permission: ['readLeads'],
    serviceRule: [
      { to: 'assignee', channels: ['website'], always: true },
      { to: 'administrator', channels: ['website'], always: false },
    ],
    schema: { type: 'object', required: ['changes'] },
  });
  expect(byKind.get('user_password_changed')?.serviceRule).toEqual([
    { to: 'user_concerned', channels: ['email'], always: true },
  ]);
  expect(byKind.get('cron_triggered')).toMatchObject({ serviceRule: [] });
});

test('GET /permissions lists all permissions to every authenticated caller', async () => {
  const { data, totalCount } = await acme.key.ok(listPermissions);
  const names = data.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'readApplications',
      'writeApplications',
      'readMerchants',
      'writeMerchants',
      'writeApiKeys',
    ]),
  );
  expect(names).toEqual(allPermissions);
  expect(new Set(names).size).toBe(totalCount);
  expect(data.every(({ description }) => /^[A-Z].*\.$/.test(description))).toBe(true);
});
