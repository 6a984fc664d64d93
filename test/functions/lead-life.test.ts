import { expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import disqualifyLead from '../../functions/leads/disqualify-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import qualifyLead from '../../functions/leads/qualify-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import unarchiveLead from '../../functions/leads/unarchive-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { auditRange, recordKey } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron', company: 'Analytical Engines' };

test('the whole life of a lead is in its audit log, with what changed', async () => {
  const { id: leadId } = await acme.key.ok(createLead, { body: ada });
  const params = { leadId };
  await acme.admin.ok(updateLead, { params, body: { company: 'Difference Engines', phone: '1' } });
  await acme.admin.ok(updateLead, { params, body: { company: 'Difference Engines' } });
  expect(await acme.admin.ok(qualifyLead, { params, body: { reason: 'Large volume' } })).toMatchObject({
    qualification: 'qualified',
    qualificationReason: 'Large volume',
  });
  await acme.admin.ok(qualifyLead, { params, body: { reason: 'Large volume' } });
  const disqualified = await acme.admin.ok(disqualifyLead, { params });
  expect([disqualified.qualification, disqualified.qualificationReason]).toEqual(['disqualified', undefined]);
  expect((await acme.admin.ok(archiveLead, { params })).archived).toBe(true);
  expect((await acme.admin.ok(archiveLead, { params })).version).toBe(5);
  expect((await acme.admin.ok(unarchiveLead, { params })).archived).toBe(false);
  await acme.admin.ok(updateLead, { params, body: { assignedTo: acme.adminEmail } });
  await drain();
  const { auditLog, assignedTo } = await acme.admin.ok(readLead, { params });
  expect(auditLog.map(({ event }) => event).reverse()).toEqual([
    'lead_created',
    'lead_updated',
    'lead_qualified',
    'lead_disqualified',
    'lead_archived',
    'lead_unarchived',
    'lead_updated',
    'lead_assigned',
  ]);
  expect(auditLog.at(-2)?.data).toEqual({
    changes: { company: { from: 'Analytical Engines', to: 'Difference Engines' }, phone: { to: '1' } },
  });
  expect(auditLog[0]?.data).toEqual({ to: assignedTo });
});

test('a deleted lead is gone from reads, lists and totals, and its audit log follows', async () => {
  const lead = await acme.admin.ok(createLead, { body: ada });
  const params = { leadId: lead.id };
  await drain();
  const before = await acme.admin.ok(listLeads);
  const deleted = await acme.admin.ok(deleteLead, { params });
  expect(deleted).toMatchObject({ id: lead.id, firstName: 'Ada' });
  for (const gone of [readLead, updateLead, deleteLead, archiveLead])
    expect((await acme.admin.call(gone as typeof deleteLead, { params, body: {} as never })).status).toBe(
      404,
    );
  const after = await acme.admin.ok(listLeads);
  expect(after.totalCount).toBe(before.totalCount - 1);
  expect(after.data.map(({ id }) => id)).not.toContain(lead.id);

  await drain();
  const partition = recordKey(acme.accountId, 'LEAD', lead.id).pk;
  expect(await queryItems({ partition, sortKey: auditRange })).toEqual([]);
  const [tombstone, ...others] = await queryItems({ partition });
  expect(others).toEqual([]);
  expect(Object.keys(tombstone ?? {}).sort()).toEqual(['deletedAt', 'id', 'pk', 'sk']);
  const { data } = await acme.admin.ok(listEvents, { query: { kind: 'lead_deleted' } });
  expect(data.map(({ subject }) => subject.id)).toContain(lead.id);
});
