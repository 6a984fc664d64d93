import { expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { systemEvent } from '../../shared/events/system-event.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('an event of a schedule is logged, searchable by actor, relayed and audited, and contains the schedule', async () => {
  const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const event = systemEvent(
    {
      kind: 'lead_updated',
      subject: { type: 'lead', id: lead.id, version: 2 },
      data: { changes: { company: { to: 'Engines' } } },
    },
    { account: lead.accountId, now: clock.now(), schedule: 'sla-sweep' },
  );
  await commit({ writes: [], events: [event], deadline: Date.now() + 10_000 });
  const query = { actor: 'system' };
  const { data } = (await acme.admin.ok(listEvents, { query })) as { data: LoggedEvent[] };
  expect(data).toEqual([event]);
  expect(data[0]).toMatchObject({
    actor: { user: 'system', apiKey: null },
    request: { method: 'SCHEDULE', path: 'sla-sweep', headers: {}, ipAddress: '' },
  });
  await drain();
  const { auditLog } = await acme.admin.ok(readLead, { params: { leadId: lead.id } });
  expect(auditLog).toContainEqual(
    expect.objectContaining({
      id: event.id,
      user: 'system',
      apiKey: null,
      requestMethod: 'SCHEDULE',
      requestPath: 'sla-sweep',
      requestIpAddress: '',
    }),
  );
});
