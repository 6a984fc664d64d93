import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import readExternalApplication from '../../functions/extapi/read-external-application.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import saveExternalLeads from '../../functions/extapi/save-external-leads.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import searchRecords from '../../functions/search/search-records.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { vendorOf } from './vendor.ts';

const acme = await tenant();
const vendor = await vendorOf(acme);
const ada = { firstName: 'Ada', lastName: 'Byron' };
const send = (externalId: string, fields: object = {}, by = vendor) =>
  by.ok(saveExternalLead, { body: { externalId, ...ada, ...fields } });
const sendBatch = (leads: readonly object[], by = vendor) =>
  by.ok(saveExternalLeads, { body: { leads: leads.map((lead) => ({ ...ada, ...lead })) as never } });
/** The leads with an external id, as staff list them. */
async function found(externalId: string, { admin }: Tenant = acme) {
  await drain();
  return (await admin.ok(listLeads, { query: { externalId: [externalId] } })).data;
}
const only = async (externalId: string) => {
  const [lead, ...more] = await found(externalId);
  if (!lead) throw new Error(`No lead has the external id ${externalId}.`);
  expect(more).toEqual([]);
  return lead;
};
const kindsAbout = async (id: number) => (await eventsAbout(acme.accountId, id)).map(({ kind }) => kind);

test('a sent lead is created with its origin, and the response contains only the external id and the result', async () => {
  expect(await send('new', { company: 'Engines', email: 'ada@engines.test' })).toEqual({
    externalId: 'new',
    result: 'created',
  });
  const lead = await only('new');
  expect(lead).toMatchObject({
    ...ada,
    company: 'Engines',
    externalKeyId: vendor.id,
    externalId: 'new',
    createdBy: vendor.apiKey,
    version: 1,
  });
  expect(await kindsAbout(lead.id)).toEqual(['lead_created', 'extapi_lead_created']);
  const events = await storedEvents(acme.accountId);
  expect(events.find(({ kind }) => kind === 'extapi_lead_created')?.data).toEqual({
    keyId: vendor.id,
    externalId: 'new',
  });
});

test.each(['ada@engines.test', "o'neill+fair@engines.test", '{3F2504E0-4F89-11D3-9A0C-0305E82C3301}'])(
  'an external id can be %s, and finds its lead and its application again',
  async (externalId) => {
    expect(await send(externalId)).toEqual({ externalId, result: 'created' });
    expect(await send(externalId, { company: 'Looms' })).toEqual({ externalId, result: 'updated' });
    expect(await only(externalId)).toMatchObject({ company: 'Looms', externalId });
    await vendor.ok(saveExternalApplication, { body: { externalId, basics: { dbaName: 'Engines' } } });
    const read = await vendor.ok(readExternalApplication, { params: { externalId } });
    expect(read).toMatchObject({ externalId, status: 'pending' });
  },
);

test.each(['@ada', '{3F2504E0', 'a b', 'a#b', 'a/b', '{}', "'"])(
  'the external id %s is rejected',
  async (externalId) => {
    const body = { externalId, ...ada };
    expect(await vendor.call(saveExternalLead, { body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'externalId', message: expect.stringContaining('letters, digits') }] },
    });
  },
);

test('the same external id changes the lead, null clears a field, and the same values change nothing', async () => {
  await send('again', { company: 'Engines', phone: '+1 415 555 0134', notes: 'First' });
  expect(await send('again', { company: 'Looms', phone: null })).toMatchObject({ result: 'updated' });
  const lead = await only('again');
  expect(lead).toMatchObject({ company: 'Looms', notes: 'First', version: 2 });
  expect(lead).not.toHaveProperty('phone');
  expect(await send('again', { company: 'Looms', phone: null })).toMatchObject({ result: 'unchanged' });
  expect(await kindsAbout(lead.id)).toEqual(['lead_created', 'extapi_lead_created', 'lead_updated']);
});

test('a value that the vendor sends again does not replace the value that staff entered meanwhile', async () => {
  await send('staff', { company: 'Engines', notes: 'From the fair' });
  const { id } = await only('staff');
  const body = { company: 'Engines Ltd', notes: 'Called on Monday' };
  await acme.admin.ok(updateLead, { params: { leadId: id }, body });
  expect(await send('staff', { company: 'Engines', notes: 'From the fair' })).toMatchObject({
    result: 'unchanged',
  });
  await send('staff', { company: 'Looms', notes: 'From the fair' });
  expect(await only('staff')).toMatchObject({ company: 'Looms', notes: 'Called on Monday' });
});

test('two keys can use the same external id for different leads, and staff can filter by the key', async () => {
  const other = await vendorOf(acme);
  await send('shared', { company: 'One' });
  expect(await send('shared', { company: 'Two' }, other)).toMatchObject({ result: 'created' });
  const leads = await found('shared');
  expect(leads.map(({ company }) => company).sort()).toEqual(['One', 'Two']);
  const ofOther = await acme.admin.ok(listLeads, { query: { externalKeyId: [other.id] } });
  expect(ofOther.data.map(({ company }) => company)).toEqual(['Two']);
});

test('staff see the leads with the same email or telephone number, and the vendor does not', async () => {
  const email = 'grace@duplicates.test';
  const known = await acme.admin.ok(createLead, { body: { ...ada, email: email.toUpperCase() } });
  const called = await acme.admin.ok(createLead, { body: { ...ada, phone: '(212) 555-0199' } });
  await drain();
  const response = await send('twin', { email, phone: '+1 212 555 0199' });
  expect(response).toEqual({ externalId: 'twin', result: 'created' });
  expect((await only('twin')).possibleDuplicates).toEqual([called.id, known.id]);
  await send('single', { email: 'nobody.else@duplicates.test' });
  expect(await only('single')).not.toHaveProperty('possibleDuplicates');
});

test.each([
  ['DK', '32 12 70 27', '+45 32 12 70 27', '+1 453 212 7027'],
  ['DE', '030 123456', '+49 (0)30 123456', '+43 30 123456'],
  ['BR', '(11) 91234-5678', '+55 11 91234-5678', '+1 119 123 45678'],
  ['CN', '139 1234 5678', '0086 139 1234 5678', '+1 391 234 5678'],
])(
  'possible duplicates in %s have the same number with or without the country code',
  async (country, national, international, other) => {
    const company = await tenant();
    const seller = await vendorOf(company);
    await company.admin.ok(updateAccount, { params: { id: company.accountId }, body: { country } });
    const known = await company.admin.ok(createLead, { body: { ...ada, phone: national } });
    const abroad = await company.admin.ok(createLead, { body: { ...ada, phone: `Tel.: ${other}` } });
    await drain();
    await send('twin', { phone: international }, seller);
    await send('other', { phone: other }, seller);
    const [twin] = await found('twin', company);
    expect(twin?.possibleDuplicates).toEqual([known.id]);
    const [foreign] = await found('other', company);
    expect(foreign?.possibleDuplicates).toEqual([abroad.id]);
    for (const search of [national, international, `${international} ext. 7`]) {
      const { data } = await company.admin.ok(listLeads, { query: { search } });
      expect(
        data.map(({ id }) => id),
        search,
      ).toContain(known.id);
      const all = await company.admin.ok(searchRecords, { query: { q: search } });
      expect(
        all.leads?.map(({ id }) => id),
        search,
      ).toContain(known.id);
    }
  },
);

test('a lead that staff deleted is not created again, and the hashes of its values are removed', async () => {
  await send('deleted');
  const { id } = await only('deleted');
  const stored = async () => (await scanTable()).find((item) => item.recordId === id);
  expect(await stored()).toHaveProperty('sent');
  await acme.admin.ok(deleteLead, { params: { leadId: id } });
  expect(await stored()).not.toHaveProperty('sent');
  const body = { externalId: 'deleted', ...ada };
  const { status, body: error } = await vendor.call(saveExternalLead, { body });
  expect([status, error.error]).toEqual([400, 'id_retired']);
  const { results } = await sendBatch([{ externalId: 'deleted' }, { externalId: 'beside' }]);
  expect(results).toEqual([
    { externalId: 'deleted', result: 'failed', error: 'id_retired' },
    { externalId: 'beside', result: 'created', error: null },
  ]);
});

test('a batch creates and changes leads, reports each result, and a repeated batch changes nothing', async () => {
  await send('b1', { company: 'Engines' });
  const batch = [{ externalId: 'b1', company: 'Looms' }, { externalId: 'b2' }, { externalId: 'b3' }];
  const first = await sendBatch(batch);
  expect(first).toMatchObject({ created: 2, updated: 1, unchanged: 0, failed: 0 });
  expect(first.results).toEqual([
    { externalId: 'b1', result: 'updated', error: null },
    { externalId: 'b2', result: 'created', error: null },
    { externalId: 'b3', result: 'created', error: null },
  ]);
  const batches = async () =>
    (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'extapi_lead_batch_submitted');
  const before = await batches();
  expect(before.at(-1)).toMatchObject({
    subject: { type: 'account', id: acme.accountId },
    data: { keyId: vendor.id, created: 2, updated: 1, failed: 0 },
  });
  expect(await sendBatch(batch)).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 });
  expect(await batches()).toEqual(before);
  expect(await only('b1')).toMatchObject({ version: 2 });
});

test('an invalid lead of a batch has its own result, and the other leads are saved', async () => {
  const leads = [
    { externalId: 'v1', ...ada },
    { externalId: 'v2', firstName: 'Ada' },
    { ...ada },
    { externalId: '-v3', ...ada },
    { externalId: 'v4', ...ada, salary: 1, firstName: '' },
    null,
    'text',
    { externalId: 'v5', ...ada },
  ];
  const { status, body } = await vendor.call(saveExternalLeads, { body: { leads } as never });
  expect(status).toBe(200);
  expect(body).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 6 });
  const failed = (externalId: string, details: unknown) => ({
    externalId,
    result: 'failed',
    error: 'invalid_input',
    details,
  });
  const some = expect.any(String);
  expect(body.results).toEqual([
    { externalId: 'v1', result: 'created', error: null },
    failed('v2', [{ field: 'lastName', message: 'is required' }]),
    failed('', [{ field: 'externalId', message: 'is required' }]),
    failed('-v3', [{ field: 'externalId', message: some }]),
    failed('v4', [
      { field: 'salary', message: 'is not a field of this request' },
      { field: 'firstName', message: 'must not be empty' },
    ]),
    failed('', [{ field: '', message: 'must be an object' }]),
    failed('', [{ field: '', message: 'must be an object' }]),
    { externalId: 'v5', result: 'created', error: null },
  ]);
  expect(await found('v2')).toEqual([]);
  await only('v5');
  const none = await vendor.ok(saveExternalLeads, { body: { leads: [{ externalId: 'v6' }] } as never });
  expect(none).toMatchObject({ created: 0, failed: 1 });
  for (const wrong of [{ leads: [] }, { leads: {} }, { leads, more: 1 }, {}])
    expect(await vendor.call(saveExternalLeads, { body: wrong as never })).toMatchObject({ status: 400 });
});

test('a batch with a repeated external id is rejected, and the error names the second lead', async () => {
  const leads = [
    { externalId: 'r1', ...ada },
    { externalId: 'r1', ...ada },
  ];
  const { status, body } = await vendor.call(saveExternalLeads, { body: { leads } });
  expect([status, body.details]).toEqual([
    400,
    [{ field: 'leads[1].externalId', message: 'must not be repeated' }],
  ]);
  expect(await found('r1')).toEqual([]);
});

test('32 concurrent batches with the same ids create each lead once', async () => {
  const crowd = await tenant();
  const seller = await vendorOf(crowd);
  const ids = Array.from({ length: 12 }, (_, n) => `c${n}`);
  const responses = await concurrently(32, () =>
    sendBatch(
      ids.map((externalId) => ({ externalId })),
      seller,
    ),
  );
  const results = responses.flatMap((response) => response.results);
  expect(results.filter(({ result }) => result === 'created')).toHaveLength(ids.length);
  expect(results.filter(({ result, error }) => result === 'failed' && error !== 'busy')).toEqual([]);
  await drain();
  const { data, totalCount } = await crowd.admin.ok(listLeads, { query: { pageSize: 100 } });
  expect(totalCount).toBe(ids.length);
  expect(data.map(({ externalId, version }) => `${externalId} ${version}`).sort()).toEqual(
    ids.map((externalId) => `${externalId} 1`).sort(),
  );
});

test('a rotation assigns each new lead once, and a dry run of a batch creates nothing', async () => {
  const company = await tenant();
  const seller = await vendorOf(company);
  const lead = await company.admin.ok(createLead, { body: { ...ada, assignedTo: company.adminEmail } });
  const userId = String(lead.assignedTo);
  const body = { name: 'All', userRotationArray: [{ userId, weight: 1 }] };
  await company.admin.ok(createLeadRotation, { body });
  const leads = [
    { externalId: 'd1', ...ada },
    { externalId: 'd2', ...ada },
  ];
  const { answer } = await seller.dryRun(saveExternalLeads, { body: { leads } });
  expect(answer).toMatchObject({ created: 2 });
  expect(await found('d1', company)).toEqual([]);
  await seller.ok(saveExternalLeads, { body: { leads } });
  const [first] = await found('d1', company);
  expect(first).toMatchObject({ assignedTo: userId });
  expect(await company.admin.ok(readLead, { params: { leadId: first?.id ?? 0 } })).toMatchObject({
    externalId: 'd1',
  });
});
