import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import completeDocument from '../../functions/applications/complete-application-document.ts';
import createDocument from '../../functions/applications/create-application-document.ts';
import deleteDocument from '../../functions/applications/delete-application-document.ts';
import linkDocument from '../../functions/applications/link-application-document.ts';
import listDocuments from '../../functions/applications/list-application-documents.ts';
import updateDocument from '../../functions/applications/update-application-document.ts';
import { commit } from '../../shared/events/outbox.ts';
import { mintId } from '../../shared/id/mint.ts';
import { completenessOf } from '../../shared/sales/applications/completeness/required-items.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { completeForm } from '../applications/forms.ts';
import { applicant } from '../harness/applicant.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const account = acme.accountId;
let application: StoredApplication;
/** A client with the appKey of the application. */
let merchant: Client;
const params = () => ({ applicationId: application.id });
const at = (id: string) => ({ ...params(), documentId: Number(id) });
const write = (writes: ReturnType<typeof applications.replace>) =>
  commit({ writes, events: [], deadline: Date.now() + 60_000 });

/** Creates an application with a complete form and no files. */
async function newApplication(more: Partial<StoredApplication> = {}): Promise<StoredApplication> {
  const now = clock.now();
  const listId = mintId(now);
  const made: StoredApplication = {
    id: `app_${listId}`,
    accountId: account,
    version: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    listId,
    status: 'pending',
    nextOwnerId: 2,
    admin: {},
    ...completeForm(),
    uploads: {},
    ...more,
  };
  const appKey = mintAppKey();
  await write(applications.insert({ after: made, completeness: completenessOf(made), appKey }));
  merchant = applicant({ appKey, acctId: account });
  return made;
}
beforeEach(async () => {
  application = await newApplication();
});

const pdf = Buffer.from('%PDF-1.7 a voided check');
const described = (documentKey: string) => ({
  documentKey,
  name: 'scan.pdf',
  contentType: 'application/pdf' as const,
  size: pdf.length,
  sha256: createHash('sha256').update(pdf).digest('hex'),
});
/** Describes a file and uploads it. */
async function uploaded(by: Client, documentKey = 'voided-check'): Promise<string> {
  const { id, upload } = await by.ok(createDocument, { params: params(), body: described(documentKey) });
  const { url, method, headers } = upload;
  expect((await fetch(url, { method, headers, body: new Uint8Array(pdf) })).status).toBe(200);
  return id;
}
async function completed(by: Client, documentKey?: string): Promise<string> {
  const id = await uploaded(by, documentKey);
  await by.ok(completeDocument, { params: at(id) });
  return id;
}
const stored = () => applications.get(account, application.id);
/** Changes the stored application directly. */
async function becomes(more: Partial<StoredApplication>): Promise<void> {
  const before = await stored();
  await write(applications.replace(before, { ...before, ...more, version: before.version + 1 }));
}
const kinds = async () => (await eventsAbout(account, application.id)).map(({ kind }) => kind);
const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error];

describe('the documents of an application', () => {
  test('the documents of an application can be uploaded, reviewed and deleted, and each step is in the audit log', async () => {
    const id = await completed(acme.admin);
    expect((await stored()).uploads).toEqual({ 'voided-check': 1 });
    const rejection = { status: 'rejected' as const, reason: 'Blurred' };
    await acme.admin.ok(updateDocument, { params: at(id), body: rejection });
    expect((await stored()).uploads).toEqual({});
    await acme.admin.ok(updateDocument, { params: at(id), body: { status: 'approved' } });
    expect((await stored()).uploads).toEqual({ 'voided-check': 1 });
    await acme.admin.ok(linkDocument, { params: at(id) });
    await acme.admin.ok(deleteDocument, { params: at(id) });
    expect((await stored()).uploads).toEqual({});
    await drain();
    const { auditLog } = await applications.getWithAudit<{ event: string }>(account, application.id);
    expect(auditLog.map(({ event }) => event).reverse()).toEqual([
      'file_upload_url_requested',
      'file_uploaded',
      'file_meta_data_updated',
      'file_meta_data_updated',
      'file_requested',
      'file_deleted',
    ]);
  });

  test('a document of an application must have a known documentKey, which contains the owner’s id for an owner’s document', async () => {
    const ask = (documentKey: string) =>
      acme.admin.call(createDocument, { params: params(), body: described(documentKey) });
    for (const known of ['driver-license_own_1', 'signed-application', 'other'])
      expect((await ask(known)).status, known).toBe(201);
    for (const unknown of ['driver-license', 'driver-license_own_2', 'passport']) {
      const { status, body } = await ask(unknown);
      expect([status, body.details?.map(({ field }) => field)], unknown).toEqual([400, ['documentKey']]);
    }
    const id = await uploaded(acme.admin, 'other');
    const moved = await acme.admin.call(updateDocument, {
      params: at(id),
      body: { documentKey: 'passport' },
    });
    expect([moved.status, moved.body.details?.map(({ field }) => field)]).toEqual([400, ['documentKey']]);
  });

  test('rejecting or deleting a document of an application does not mark the underwriter’s request as answered', async () => {
    const ids = [await completed(merchant, 'voided-check'), await completed(merchant, 'other')];
    const asked = ['voided-check', 'other'].map((documentKey) => ({
      documentKey,
      message: 'Another, please.',
    }));
    await becomes({ admin: { infoRequested: asked } });
    const body = { status: 'rejected', reason: 'Blurred' } as const;
    await acme.admin.ok(updateDocument, { params: at(ids[0] ?? ''), body });
    await acme.admin.ok(deleteDocument, { params: at(ids[1] ?? '') });
    expect((await stored()).uploads).toEqual({});
    expect((await stored()).admin.infoRequested).toEqual(asked);
  });

  test('completedAt of an application is set once, when the last required document is uploaded', async () => {
    const license = await completed(acme.admin, 'driver-license_own_1');
    await completed(acme.admin, 'business-license');
    expect((await stored()).completedAt).toBeUndefined();
    const checks = await concurrently(8, () => uploaded(acme.admin));
    await Promise.all(checks.map((id) => acme.admin.ok(completeDocument, { params: at(id) })));
    const { completedAt, uploads } = await stored();
    expect(completedAt).toBeDefined();
    expect(uploads['voided-check']).toBe(8);
    await acme.admin.ok(updateDocument, {
      params: at(license),
      body: { status: 'rejected', reason: 'Expired' },
    });
    await completed(acme.admin, 'driver-license_own_1');
    expect((await stored()).completedAt).toBe(completedAt);
    expect((await kinds()).filter((kind) => kind === 'application_completed')).toHaveLength(1);
  });

  test('the upload of a requested document marks the request as answered, and for a signed application also sets `signed`', async () => {
    const asked = [
      { documentKey: 'signed-application', message: 'Please sign.' },
      { documentKey: 'voided-check', message: 'Please send a check.' },
    ];
    await becomes({ admin: { infoRequested: asked } });
    const id = await completed(merchant, 'signed-application');
    const { admin, signed } = await stored();
    expect(admin.infoRequested?.map(({ answered }) => answered)).toEqual([true, undefined]);
    expect(signed).toEqual({ documentId: id, at: expect.stringMatching(/^\d{4}-/) });
    const later = await completed(merchant, 'signed-application');
    await acme.admin.ok(deleteDocument, { params: at(id) });
    expect((await stored()).signed?.documentId).toBe(later);
    await acme.admin.ok(updateDocument, { params: at(later), body: { status: 'rejected', reason: 'Blank' } });
    expect((await stored()).signed).toBeUndefined();
  });

  test('the documents of an application can be changed only while the application is pending or submitted', async () => {
    await becomes({ status: 'submitted' });
    const id = await completed(acme.admin);
    for (const status of ['approved', 'rejected'] as const) {
      await becomes({ status });
      const sent = { params: params(), body: described('other') };
      expect(errorOf(await acme.admin.call(createDocument, sent))).toEqual([400, 'files_closed']);
      const removal = await acme.admin.call(deleteDocument, { params: at(id) });
      expect(errorOf(removal)).toEqual([400, 'files_closed']);
      await acme.admin.ok(linkDocument, { params: at(id) });
    }
  });
});

describe('an applicant', () => {
  test('an applicant can upload, complete and list documents, but gets no names of the staff and no download links', async () => {
    const own = await completed(merchant, 'other');
    const staffs = await completed(acme.admin);
    const { data } = await merchant.ok(listDocuments, { params: params() });
    expect(data.map(({ id, uploadedBy, url }) => [id, uploadedBy, url])).toEqual([
      [staffs, 'staff', undefined],
      [own, `appKey:${application.id}`, undefined],
    ]);
    expect(JSON.stringify(data)).not.toContain(acme.adminEmail);
    const filtered = await merchant.call(listDocuments, {
      params: params(),
      query: { uploadedBy: acme.adminEmail },
    });
    expect(filtered.body.details?.map(({ field }) => field)).toEqual(['uploadedBy']);
    expect((await merchant.call(linkDocument, { params: at(own) })).status).not.toBe(200);
    expect((await merchant.call(updateDocument, { params: at(own), body: { name: 'a' } })).status).not.toBe(
      200,
    );
  });

  test('an applicant can delete only its own documents, while the application is pending', async () => {
    const [own, staffs] = [await completed(merchant), await completed(acme.admin)];
    expect(errorOf(await merchant.call(deleteDocument, { params: at(staffs) }))).toEqual([
      403,
      'permission_denied',
    ]);
    await becomes({ status: 'submitted' });
    await completed(merchant, 'other');
    expect(errorOf(await merchant.call(deleteDocument, { params: at(own) }))).toEqual([
      400,
      'application_not_pending',
    ]);
    await becomes({ status: 'pending' });
    await merchant.ok(deleteDocument, { params: at(own) });
    expect((await stored()).uploads).toEqual({ 'voided-check': 1, other: 1 });
  });
});
