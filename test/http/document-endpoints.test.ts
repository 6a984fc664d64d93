import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findObject, presignUpload } from '../../shared/documents/bucket.ts';
import {
  completeUpload,
  deleteDocument,
  linkDocument,
  listDocuments,
  requestUpload,
  reviewDocument,
} from '../../shared/documents/document-endpoints.ts';
import type { DocumentResource } from '../../shared/documents/document-resource.ts';
import { MerchantDocument } from '../../shared/documents/schema.ts';
import { merchantDocuments, showMerchantDocument } from '../../shared/documents/store.ts';
import { ApiError, invalid } from '../../shared/errors.ts';
import type { Subject } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { asRecordId, mintId } from '../../shared/id/mint.ts';
import { recordId } from '../../shared/schema.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { revise } from '../../shared/table/revise.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { asTest, watchWire } from '../harness/wire.ts';

/** A parent for documents, used in place of a merchant. */
interface Crate extends Versioned {
  id: number;
  decided?: boolean;
  uploads: Record<string, number>;
}
const crates = recordStore<Crate, 'lead'>({ resource: 'lead', noun: 'MERCHANT', children: true });

const documentsOfCrates: DocumentResource<Crate> = {
  parent: {
    type: 'merchant',
    idFrom: asRecordId,
    get: (account, id) => crates.get(account, Number(id)),
    checkAcceptsFiles({ decided }) {
      if (decided) throw new ApiError('files_closed');
    },
    checkKey(_, key) {
      if (key === 'unknown') throw invalid('type', 'is not known');
    },
    onFilesChanged(crate, { uploads }, request) {
      const counted = { ...crate.uploads };
      for (const [key, amount] of uploads) counted[key] = (counted[key] ?? 0) + amount;
      return { writes: crates.replace(crate, revise(crate, { uploads: counted }, request)), events: [] };
    },
  },
  store: merchantDocuments,
  path: '/merchants/{merchantId}',
  params: { merchantId: recordId() },
  keyName: 'type',
  item: MerchantDocument,
  show: showMerchantDocument,
  permissions: { read: 'readMerchants', write: 'writeMerchants', review: 'writeUnderwriting' },
};
const summary = 'For a test';
const list = listDocuments(documentsOfCrates, { summary });
const request = requestUpload(documentsOfCrates, { summary });
const complete = completeUpload(documentsOfCrates, { summary });
const review = reviewDocument(documentsOfCrates, { summary });
const remove = deleteDocument(documentsOfCrates, { summary });
const link = linkDocument(documentsOfCrates, { summary });

let acme: Tenant;
let account: AccountId;
let crate: Crate;
beforeAll(async () => {
  acme = await tenant();
  account = acme.accountId;
});
const deadline = () => Date.now() + 10_000;
async function newCrate(): Promise<Crate> {
  const now = clock.now();
  const at = now.toISOString();
  const made = { id: mintId(now), accountId: account, version: 1, createdAt: at, updatedAt: at, uploads: {} };
  await commit({ writes: crates.insert(made), events: [], deadline: deadline() });
  return made;
}
beforeEach(async () => {
  crate = await newCrate();
});

const pdf = Buffer.from('%PDF-1.7 a voided check');
const jpeg = Buffer.from('\xff\xd8\xff\xe0 a photo', 'latin1');
const described = (file = pdf, more: object = {}) => ({
  type: 'voided-check',
  name: 'voided check.pdf',
  contentType: 'application/pdf' as const,
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  ...more,
});
const inCrate = () => ({ merchantId: crate.id });
const at = (id: string) => ({ ...inCrate(), documentId: Number(id) });
const requested = (file = pdf, more: object = {}) =>
  acme.admin.ok(request, { params: inCrate(), body: described(file, more) });
/** Sends these bytes to the returned URL, with the returned method and headers. */
async function upload(
  { url, headers, method }: { url: string; headers: Record<string, string>; method: string },
  bytes = pdf,
): Promise<number> {
  return (await fetch(url, { method, headers, body: new Uint8Array(bytes) })).status;
}
async function completed(more: object = {}) {
  const { id, upload: how } = await requested(pdf, more);
  expect(await upload(how)).toBe(200);
  return acme.admin.ok(complete, { params: at(id) });
}
const eventsOfDocuments = async () =>
  (await storedEvents(account)).filter(({ subject }) =>
    isDeepStrictEqual((subject as Subject).parent, { type: 'merchant', id: crate.id }),
  );
const kinds = async () => (await eventsOfDocuments()).map(({ kind }) => kind);
const stored = () => crates.get(account, crate.id);
const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error];

describe('an upload', () => {
  test('an upload is requested, sent by plain HTTP, completed, listed and downloaded', async () => {
    const { upload: how, ...described } = await requested();
    expect(described).toMatchObject({
      merchantId: crate.id,
      type: 'voided-check',
      status: 'pending',
      version: 1,
    });
    expect(described.uploadedDate).toBeUndefined();
    expect(how).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'application/pdf', 'content-length': String(pdf.length) },
    });
    expect(Date.parse(how.expiresAt) - clock.now().getTime()).toBeGreaterThan(14 * 60_000);
    expect(await upload(how)).toBe(200);

    const document = await acme.admin.ok(complete, { params: at(described.id) });
    expect(document).toMatchObject({ uploadedBy: acme.adminEmail, version: 2, status: 'pending' });
    const { data, totalCount } = await acme.admin.ok(list, { params: inCrate() });
    expect([totalCount, data]).toEqual([1, [document]]);
    expect(document.url).toBe(`/merchants/${crate.id}/documents/${document.id}/link`);

    const { url, expiresAt } = await acme.admin.ok(link, { params: at(document.id) });
    expect(Math.round((Date.parse(expiresAt) - clock.now().getTime()) / 60_000)).toBe(5);
    const file = await fetch(url);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(pdf);
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="voided check.pdf"; filename*=UTF-8''voided%20check.pdf`,
    );
    expect(await kinds()).toEqual(['file_upload_url_requested', 'file_uploaded', 'file_requested']);
  });

  test('an uploaded file is stored under its account, record and document', async () => {
    const { id } = await completed();
    const place = `merchant/${crate.id}/${id}`;
    const timing = { now: clock.now(), deadline: deadline() };
    for (const half of ['incoming', 'documents'])
      expect(await findObject(`${half}/${account}/${place}`, timing)).toMatchObject({ size: pdf.length });
  });

  test('completing a document whose file was not uploaded returns 400', async () => {
    const { id } = await requested();
    expect(errorOf(await acme.admin.call(complete, { params: at(id) }))).toEqual([400, 'upload_missing']);
    expect(errorOf(await acme.admin.call(link, { params: at(id) }))).toEqual([400, 'upload_missing']);
    expect((await stored()).uploads).toEqual({});
  });

  test('completing an upload of a JPEG described as PDF returns 400, and the document is not counted', async () => {
    const { id, upload: how } = await requested(jpeg);
    expect(await upload(how, jpeg)).toBe(200);
    const rejected = await acme.admin.call(complete, { params: at(id) });
    expect(errorOf(rejected)).toEqual([400, 'upload_unfit']);
    expect(rejected.body.message).toContain('not of the type application/pdf');
    expect((await stored()).uploads).toEqual({});
    expect(await kinds()).toEqual(['file_upload_url_requested']);
    const timing = { now: clock.now(), deadline: deadline() };
    expect(await findObject(`documents/${account}/merchant/${crate.id}/${id}`, timing)).toBeUndefined();
  });

  test('a request to S3 without a response ends at its deadline with busy, so that the function can respond', async () => {
    const stop = watchWire({ fault: ({ service }) => (service === 's3' ? 'hangs' : undefined) });
    const startedAt = Date.now();
    const finding = findObject('incoming/missing', { now: clock.now(), deadline: startedAt + 100 });
    await expect(finding.finally(stop)).rejects.toMatchObject({ code: 'busy' });
    expect(Date.now() - startedAt).toBeLessThan(3_000);
  });

  test('the sha256 of an upload may be in upper case', async () => {
    expect((await completed({ sha256: described().sha256.toUpperCase() })).uploadedDate).toBeDefined();
  });

  test('an upload may have at most 25 MB', async () => {
    const sizes = [26_214_400, 26_214_401].map(
      async (size) =>
        (await acme.admin.call(request, { params: inCrate(), body: described(pdf, { size }) })).status,
    );
    expect(await Promise.all(sizes)).toEqual([201, 400]);
  });

  test('an upload is rejected if its content differs from the described content', async () => {
    const { id, upload: how } = await requested();
    const changed = Buffer.from(pdf);
    changed[5] = 0;
    expect(await upload(how, changed)).toBe(400);
    expect(errorOf(await acme.admin.call(complete, { params: at(id) }))).toEqual([400, 'upload_missing']);
  });

  test.each([
    ['the check of the first bytes and the check of the size', 'HeadObject', jpeg],
    ['the checks and the copy', 'CopyObject', pdf],
  ] as const)(
    'completing a document fails if another upload replaces the file between %s',
    async (_, held, file) => {
      const { id } = await requested(file);
      const place = `${account}/merchant/${crate.id}/${id}`;
      const put = async (bytes: typeof pdf) => {
        const signed = { now: clock.now(), seconds: 60 };
        const to = await presignUpload(`incoming/${place}`, described(bytes), signed);
        expect(await upload(to, bytes)).toBe(200);
      };
      await put(pdf);
      let firstBytesRead = () => {};
      const afterFirstBytes = new Promise<void>((resolve) => {
        firstBytesRead = resolve;
      });
      const stop = watchWire({
        before: async ({ operation }) => {
          if (operation !== held) return;
          await afterFirstBytes;
          await asTest(() => put(jpeg));
        },
        done: ({ operation }) => operation === 'GetObject' && firstBytesRead(),
      });
      const replaced = await acme.admin.call(complete, { params: at(id) });
      stop();
      expect(errorOf(replaced)).toEqual([400, 'upload_missing']);
      const timing = { now: clock.now(), deadline: deadline() };
      expect(await findObject(`documents/${place}`, timing)).toBeUndefined();
      expect((await stored()).uploads).toEqual({});
      expect(errorOf(await acme.admin.call(complete, { params: at(id) }))).toEqual([400, 'upload_unfit']);
    },
  );

  test('an upload that is completed repeatedly or concurrently emits one event', async () => {
    const { id, upload: how } = await requested();
    await upload(how);
    const ten = await concurrently(10, () => acme.admin.ok(complete, { params: at(id) }));
    const again = await acme.admin.ok(complete, { params: at(id) });
    for (const one of ten) expect(one).toEqual(again);
    expect(await kinds()).toEqual(['file_upload_url_requested', 'file_uploaded']);
    const place = `${account}/merchant/${crate.id}/${id}`;
    const later = { now: clock.now(), seconds: 60 };
    expect(await upload(await presignUpload(`incoming/${place}`, described(jpeg), later), jpeg)).toBe(200);
    expect(await acme.admin.ok(complete, { params: at(id) })).toEqual(again);
    const timing = { now: clock.now(), deadline: deadline() };
    expect(await findObject(`documents/${place}`, timing)).toMatchObject({ size: pdf.length });
    expect((await stored()).uploads).toEqual({ 'voided-check': 1 });
  });

  test.each([
    ['no bytes', { size: 0 }, 'size'],
    ['the content type text/html', { contentType: 'text/html' }, 'contentType'],
    ['a name that is a path', { name: '../../etc/passwd' }, 'name'],
    ['a line break in its name', { name: 'a\r\nb.pdf' }, 'name'],
    ['a checksum that is too short', { sha256: 'ab'.repeat(31) }, 'sha256'],
    ['an unknown document type', { type: 'unknown' }, 'type'],
  ])('a request for an upload with %s returns 400', async (_, more, field) => {
    const response = await acme.admin.call(request, { params: inCrate(), body: described(pdf, more) });
    expect([response.status, response.body.details?.map((one) => one.field)]).toEqual([400, [field]]);
  });

  test('a record can have at most ten files of a document type', async () => {
    for (let n = 0; n < 10; n++) await requested();
    const eleventh = await acme.admin.call(request, { params: inCrate(), body: described() });
    expect(errorOf(eleventh)).toEqual([400, 'too_many_files']);
    const { id } = await requested(pdf, { type: 'contract' });
    const moved = await acme.admin.call(review, { params: at(id), body: { type: 'voided-check' } });
    expect(errorOf(moved)).toEqual([400, 'too_many_files']);
    const { data } = await acme.admin.ok(list, { params: inCrate(), query: { type: 'voided-check' } });
    await acme.admin.ok(remove, { params: at(data[0]?.id ?? '') });
    await acme.admin.ok(review, { params: at(id), body: { type: 'voided-check' } });
  });

  test('a record can have at most 100 files', async () => {
    for (let n = 0; n < 100; n++) await requested(pdf, { type: `type ${n % 11}` });
    const response = await acme.admin.call(request, { params: inCrate(), body: described() });
    expect(errorOf(response)).toEqual([400, 'too_many_files']);
  });
});

describe('a document', () => {
  test('a document is counted in its record from its completion until it is rejected or deleted', async () => {
    const { id } = await completed();
    const counted = async () => (await stored()).uploads['voided-check'];
    expect(await counted()).toBe(1);
    await acme.admin.ok(review, { params: at(id), body: { status: 'approved' } });
    expect(await counted()).toBe(1);
    await acme.admin.ok(review, { params: at(id), body: { status: 'rejected', reason: 'Blurred' } });
    expect(await counted()).toBe(0);
    await acme.admin.ok(review, { params: at(id), body: { status: 'pending' } });
    expect(await counted()).toBe(1);
    await acme.admin.ok(review, { params: at(id), body: { type: 'contract' } });
    expect((await stored()).uploads).toEqual({ 'voided-check': 0, contract: 1 });
    await acme.admin.ok(remove, { params: at(id) });
    expect((await stored()).uploads).toEqual({ 'voided-check': 0, contract: 0 });
    expect((await acme.admin.ok(list, { params: inCrate() })).totalCount).toBe(0);
    expect(errorOf(await acme.admin.call(link, { params: at(id) }))).toEqual([404, 'not_found']);
  });

  test('a document is rejected with a reason, which is removed when the status changes', async () => {
    const { id } = await completed();
    const without = await acme.admin.call(review, { params: at(id), body: { status: 'rejected' } });
    expect([without.status, without.body.details?.[0]?.field]).toEqual([400, 'reason']);
    const rejected = await acme.admin.ok(review, {
      params: at(id),
      body: { status: 'rejected', reason: 'Blurred' },
    });
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'Blurred', version: 3 });
    const approved = await acme.admin.ok(review, {
      params: at(id),
      body: { status: 'approved', name: 'check.pdf' },
    });
    expect(approved.reason).toBeUndefined();
    expect(await acme.admin.ok(review, { params: at(id), body: { name: 'check.pdf' } })).toEqual(approved);
    const events = (await eventsOfDocuments()).filter(({ kind }) => kind === 'file_meta_data_updated');
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        documentId: Number(id),
        changes: { status: { from: 'pending', to: 'rejected' }, reason: { to: 'Blurred' } },
      },
      { changes: { name: { from: 'voided check.pdf', to: 'check.pdf' }, status: { to: 'approved' } } },
    ]);
  });

  test('a document without a file can be renamed, but not reviewed', async () => {
    const { id } = await requested();
    await acme.admin.ok(review, { params: at(id), body: { name: 'another.pdf' } });
    for (const body of [{ status: 'approved' as const }, { status: 'rejected' as const, reason: 'Blurred' }])
      expect(errorOf(await acme.admin.call(review, { params: at(id), body }))).toEqual([
        400,
        'upload_missing',
      ]);
  });

  test('a document of a decided record is read-only', async () => {
    const { id } = await completed();
    const later = await requested();
    await upload(later.upload);
    const now = await stored();
    await commit({
      writes: crates.replace(now, { ...now, decided: true, version: now.version + 1 }),
      events: [],
      deadline: deadline(),
    });
    const closed = [400, 'files_closed'];
    expect(errorOf(await acme.admin.call(request, { params: inCrate(), body: described() }))).toEqual(closed);
    expect(errorOf(await acme.admin.call(complete, { params: at(later.id) }))).toEqual(closed);
    expect(errorOf(await acme.admin.call(review, { params: at(id), body: { name: 'a' } }))).toEqual(closed);
    expect(errorOf(await acme.admin.call(remove, { params: at(id) }))).toEqual(closed);
    expect((await acme.admin.ok(list, { params: inCrate() })).totalCount).toBe(2);
    await acme.admin.ok(link, { params: at(id) });
  });

  test('a document is found only under its own record and account, and only until the record is deleted', async () => {
    const { id } = await completed();
    const [other, stranger] = [await newCrate(), await tenant()];
    const elsewhere = { merchantId: other.id, documentId: Number(id) };
    const statuses = async ({ admin }: Tenant, params: { merchantId: number; documentId: number }) =>
      (
        await Promise.all([
          admin.call(complete, { params }),
          admin.call(review, { params, body: { name: 'a' } }),
          admin.call(remove, { params }),
          admin.call(link, { params }),
        ])
      ).map(({ status }) => status);
    expect(await statuses(acme, elsewhere)).toEqual([404, 404, 404, 404]);
    expect(await statuses(stranger, at(id))).toEqual([404, 404, 404, 404]);
    expect((await stranger.admin.call(list, { params: inCrate() })).status).toBe(404);
    const gone = await stored();
    await commit({ writes: crates.delete(gone, clock.now()), events: [], deadline: deadline() });
    expect((await acme.admin.call(request, { params: inCrate(), body: described() })).status).toBe(404);
    expect((await acme.admin.call(link, { params: at(id) })).status).toBe(404);
  });

  test('a change of a document returns 412 if If-Match has an old version', async () => {
    const { id, version } = await completed();
    const headers = { 'if-match': `"${version - 1}"` };
    const stale = await acme.admin.call(review, { params: at(id), body: { name: 'a' }, headers });
    expect(errorOf(stale)).toEqual([412, 'version_mismatch']);
    const current = { 'if-match': `"${version}"` };
    await acme.admin.ok(review, { params: at(id), body: { name: 'a' }, headers: current });
  });
});
