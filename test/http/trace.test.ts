import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('an event contains its request without secrets', async () => {
  const { id } = await acme.key.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron' },
    query: { skipTeamAndSourceRequirement: true },
    headers: {
      Referer: 'https://app.test/leads/new?token=canary-referer&page=2',
      Cookie: 'session=canary-cookie',
      'X-Api-Key': 'canary-key',
      'X-Api-Secret': 'canary-secret',
      'X-Something-Else': 'canary-else',
      'User-Agent': 'a'.repeat(300),
      Origin: 'https://app.test',
    },
    sourceIp: '192.0.2.77',
  });
  const event = (await storedEvents(acme.accountId)).find(
    ({ kind, subject }) => kind === 'lead_created' && (subject as { id: number }).id === id,
  );
  expect(event?.request).toEqual({
    method: 'POST',
    path: '/leads',
    headers: {
      host: 'api.test',
      'content-type': 'application/json',
      authorization: '[masked]',
      'x-account-id': acme.accountId,
      referer: 'https://app.test/leads/new',
      'x-api-key': '[masked]',
      'x-api-secret': '[masked]',
      'user-agent': 'a'.repeat(256),
      origin: 'https://app.test',
    },
    ipAddress: '192.0.2.77',
  });
  expect(JSON.stringify(await scanTable())).not.toContain('canary');
});
