import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplicationNote from '../../functions/applications/create-application-note.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import completeExternalDocument from '../../functions/extapi/complete-external-document.ts';
import createExternalDocument from '../../functions/extapi/create-external-document.ts';
import readExternalApplication from '../../functions/extapi/read-external-application.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import submitExternalApplication from '../../functions/extapi/submit-external-application.ts';
import updateExternalApplication from '../../functions/extapi/update-external-application.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import { describedScan, putFile } from '../../infra/administration/upload-file.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { canaries, filledApplication, sectionsOf } from '../harness/filled-application.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { vendorOf } from './vendor.ts';

const acme = await tenant();
const vendor = await vendorOf(acme);
const form = sectionsOf(filledApplication);
const byId = (externalId: string) => ({ params: { externalId } });
const send = (externalId: string, fields: object = form, by = vendor) =>
  by.ok(saveExternalApplication, { body: { externalId, ...fields } });

/** The application with an external id, as staff list it. */
async function listed(externalId: string) {
  await drain();
  const { data } = await acme.admin.ok(listApplications, { query: { externalId: [externalId] } });
  const [found, ...more] = data;
  if (!found) throw new Error(`No application has the external id ${externalId}.`);
  expect(more).toEqual([]);
  return found;
}
const kindsOf = async (id: string) => (await eventsAbout(acme.accountId, id)).map(({ kind }) => kind);
const eventsOfKind = async (id: string, kind: string) =>
  (await eventsAbout(acme.accountId, id)).filter((event) => event.kind === kind);
const statusesOf = async (id: string) =>
  (await eventsOfKind(id, 'extapi_status_change')).map(({ data }) => (data as { status: string }).status);
const setComplete = (requireCompleteApplication: boolean) =>
  acme.admin.ok(updateAccount, {
    params: { id: acme.accountId },
    body: { requireCompleteApplication },
  });
const refusal = async (response: Promise<{ status: number; body: { error: string } }>) => {
  const { status, body } = await response;
  return `${status} ${body.error}`;
};

test('a sent application is created with its origin, and the response contains no value of the form', async () => {
  const response = await send('new');
  expect(response).toMatchObject({
    externalId: 'new',
    status: 'pending',
    isComplete: false,
    owners: [{ id: 1, uniqueId: 'ada' }],
    openRequests: [],
  });
  const texts = [...Object.values(canaries), 'Harbor', 'Ada Byron', 'ada@example.com'];
  for (const text of texts) expect(JSON.stringify(response)).not.toContain(text);
  const { id } = await listed('new');
  const application = await acme.admin.ok(readApplication, { params: { applicationId: id } });
  expect(application).toMatchObject({
    basics: { dbaTaxId: canaries.taxId },
    createdBy: vendor.apiKey,
    admin: { externalKeyId: vendor.id, externalId: 'new' },
  });
  const { data } = await acme.admin.ok(listApplications, { query: { externalKeyId: [vendor.id] } });
  expect(data.map(({ externalId }) => externalId)).toContain('new');
});

test('the same external id changes the application, and the event of the external API names the key', async () => {
  await send('again', { basics: { dbaName: 'Engines' } });
  await send('again', { basics: { dbaCity: 'Reno' } });
  await vendor.ok(updateExternalApplication, { ...byId('again'), body: { basics: { dbaName: null } } });
  const { id, version } = await listed('again');
  expect(version).toBe(3);
  expect(await kindsOf(id)).toEqual([
    'application_created',
    'application_updated',
    'extapi_application_updated',
    'application_updated',
    'extapi_application_updated',
  ]);
  expect((await eventsOfKind(id, 'extapi_application_updated'))[0]?.data).toEqual({
    keyId: vendor.id,
    externalId: 'again',
  });
  await send('again', { basics: { dbaCity: 'Reno' } });
  expect((await listed('again')).version).toBe(3);
});

test('32 concurrent requests with the same id create one application', async () => {
  const responses = await concurrently(32, () => send('crowd', { basics: { dbaName: 'Crowd' } }));
  expect(new Set(responses.map(({ version }) => version))).toEqual(new Set([1]));
  await listed('crowd');
});

test('another key does not find the application, nor does an invalid id', async () => {
  const other = await vendorOf(acme);
  await send('mine', {});
  for (const endpoint of [readExternalApplication, submitExternalApplication, updateExternalApplication])
    expect(await refusal(other.call(endpoint, { ...byId('mine'), body: {} } as never))).toBe('404 not_found');
  expect(await refusal(vendor.call(readExternalApplication, byId('a#b')))).toBe('404 not_found');
  await send('mine', { basics: { dbaName: 'Other' } }, other);
  await drain();
  const { data } = await acme.admin.ok(listApplications, { query: { externalId: ['mine'] } });
  expect(data.map(({ externalKeyId }) => externalKeyId).sort()).toEqual([vendor.id, other.id].sort());
});

test('an application that staff deleted is neither found nor created again', async () => {
  await send('deleted', {});
  const { id } = await listed('deleted');
  await acme.admin.ok(deleteApplication, { params: { applicationId: id } });
  expect(await refusal(vendor.call(readExternalApplication, byId('deleted')))).toBe('404 not_found');
  expect(await refusal(vendor.call(saveExternalApplication, { body: { externalId: 'deleted' } }))).toBe(
    '400 id_retired',
  );
});

test('the key uploads a missing document, which then is no longer missing', async () => {
  const { missingDocuments } = await send('files');
  const key = 'voided-check';
  expect(missingDocuments).toContainEqual({ documentKey: key, name: 'Voided check' });
  const body = { ...describedScan, documentKey: key };
  const document = await vendor.ok(createExternalDocument, { ...byId('files'), body });
  await putFile(document);
  const path = { params: { externalId: 'files', documentId: document.id } };
  const completed = await vendor.ok(completeExternalDocument, path);
  expect(completed).toMatchObject({ id: document.id, uploadedDate: expect.any(String) });
  expect(await vendor.ok(completeExternalDocument, path)).toEqual(completed);
  const after = await vendor.ok(readExternalApplication, byId('files'));
  expect(after.missingDocuments).not.toContainEqual({ documentKey: key, name: 'Voided check' });
  const { id } = await listed('files');
  expect(await eventsOfKind(id, 'extapi_documents_transferred')).toMatchObject([
    { data: { keyId: vendor.id, externalId: 'files', documentKey: key } },
  ]);
  const other = await vendorOf(acme);
  expect(await refusal(other.call(completeExternalDocument, path))).toBe('404 not_found');
});

test('the key learns each status that staff set, and no text that staff wrote', async () => {
  await setComplete(false);
  await send('status', form);
  const { id } = await listed('status');
  const params = { applicationId: id };
  await acme.admin.ok(createApplicationNote, { params, body: { content: 'secret note' } });
  const submitted = await vendor.ok(submitExternalApplication, byId('status'));
  expect(submitted).toMatchObject({ status: 'submitted', submittedAt: expect.any(String) });
  expect(await kindsOf(id)).toContain('extapi_application_submitted');
  expect(await statusesOf(id)).toEqual([]);

  const requested = [{ field: 'businessBanking.bankRouting', message: 'secret question' }];
  await acme.admin.ok(decideApplication, {
    params,
    body: { decision: 'info_requested', reason: 'secret reason', requested },
  });
  const asked = await vendor.ok(readExternalApplication, byId('status'));
  expect(asked).toMatchObject({
    status: 'information_requested',
    openRequests: [{ field: 'businessBanking.bankRouting' }],
  });
  expect(JSON.stringify(asked)).not.toContain('secret');
  const body = { businessBanking: { bankRouting: '011000028' } };
  expect(await vendor.ok(updateExternalApplication, { ...byId('status'), body })).toMatchObject({
    openRequests: [],
  });
  await acme.admin.ok(submitApplication, { params });
  const decided = await acme.admin.ok(decideApplication, { params, body: { decision: 'approved' } });
  expect(await vendor.ok(readExternalApplication, byId('status'))).toMatchObject({ status: 'approved' });

  const merchant = { params: { merchantId: decided.admin.merchantId ?? 0 } };
  await acme.admin.ok(updateMerchant, { ...merchant, body: { status: 'active' } });
  await acme.admin.ok(updateMerchant, { ...merchant, body: { status: 'suspended' } });
  await acme.admin.ok(updateMerchant, { ...merchant, body: { status: 'active' } });
  expect(await vendor.ok(readExternalApplication, byId('status'))).toMatchObject({ status: 'boarded' });
  expect(await statusesOf(id)).toEqual(['information_requested', 'submitted', 'approved', 'boarded']);
  expect((await eventsOfKind(id, 'extapi_status_change'))[0]?.data).toEqual({
    keyId: vendor.id,
    externalId: 'status',
    status: 'information_requested',
  });
});

test('a rejection is reported, and the application can no longer be changed', async () => {
  await setComplete(false);
  await send('rejected', form);
  await vendor.ok(submitExternalApplication, byId('rejected'));
  const { id } = await listed('rejected');
  const body = { decision: 'rejected' as const, reason: 'secret reason' };
  await acme.admin.ok(decideApplication, { params: { applicationId: id }, body });
  const shown = await vendor.ok(readExternalApplication, byId('rejected'));
  expect(shown).toMatchObject({ status: 'rejected', decidedAt: expect.any(String) });
  expect(JSON.stringify(shown)).not.toContain('secret');
  expect(await statusesOf(id)).toEqual(['rejected']);
  const change = { ...byId('rejected'), body: { basics: { dbaName: 'Other' } } };
  expect(await refusal(vendor.call(updateExternalApplication, change))).toBe('400 application_not_pending');
});

test('an incomplete application is not submitted if the account requires complete ones', async () => {
  await setComplete(true);
  await send('incomplete', { basics: { dbaName: 'Engines' } });
  expect(await refusal(vendor.call(submitExternalApplication, byId('incomplete')))).toBe(
    '400 application_incomplete',
  );
});

test('the status of an application of staff is not reported', async () => {
  await setComplete(false);
  const applicationId = 'own-application-1';
  const query = { createIfNotExists: true };
  await acme.admin.ok(updateApplication, { params: { applicationId }, query, body: form });
  await acme.admin.ok(submitApplication, { params: { applicationId } });
  expect(await statusesOf(applicationId)).toEqual([]);
});

test('fields that only staff may set are rejected', async () => {
  for (const field of ['system', 'repcode', 'admin']) {
    const body = { externalId: 'closed', [field]: {} } as never;
    expect(await refusal(vendor.call(saveExternalApplication, { body }))).toBe('400 invalid_input');
  }
});
