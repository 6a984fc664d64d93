import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('a lead shows the audit entry that the event pipeline wrote', async () => {
  const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await drain();
  const read = await acme.admin.ok(readLead, { params: { leadId: lead.id } });
  expect(read.auditLog).toMatchObject([
    { event: 'lead_created', apiKey: acme.apiKey, requestMethod: 'POST' },
  ]);
});
