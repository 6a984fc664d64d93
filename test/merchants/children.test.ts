import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createEquipment from '../../functions/merchants/create-equipment.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteEquipment from '../../functions/merchants/delete-equipment.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import deleteMerchantDocument from '../../functions/merchants/delete-merchant-document.ts';
import deleteMid from '../../functions/merchants/delete-mid.ts';
import deleteNote from '../../functions/merchants/delete-note.ts';
import linkMerchantDocument from '../../functions/merchants/link-merchant-document.ts';
import listEquipment from '../../functions/merchants/list-equipment.ts';
import listMids from '../../functions/merchants/list-mids.ts';
import listNotes from '../../functions/merchants/list-notes.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateEquipment from '../../functions/merchants/update-equipment.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import updateMerchantDocument from '../../functions/merchants/update-merchant-document.ts';
import updateMid from '../../functions/merchants/update-mid.ts';
import updateNote from '../../functions/merchants/update-note.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { findObject, presignUpload } from '../../shared/documents/bucket.ts';
import { documentObject } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { merchantDocuments } from '../../shared/documents/store.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { commit } from '../../shared/events/outbox.ts';
import { mintId } from '../../shared/id/mint.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { childKey, recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import type { CallResponse, ErrorBody } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { withFile } from '../routes/uploaded-document.ts';

afterEach(noFaults);

const [acme, globex] = [await tenant(), await tenant()];
const { admin } = acme;
const merchant = () => admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
const by = ({ id }: { id: number }) => ({ params: { merchantId: id } });
const read = (one: { id: number }) => admin.ok(readMerchant, by(one));
const newest = async (kinds: string[]) =>
  (await storedEvents(acme.accountId))
    .filter(({ kind }) => kinds.includes(String(kind)))
    .map(({ kind, subject, data }) => ({ kind, subject, data }))
    .at(-1);
const kindOfNote = ['note_created', 'note_updated', 'note_deleted'];

describe('a note', () => {
  test('a note keeps its author and the date of its creation when another user changes it', async () => {
    const harbor = await merchant();
    const note = await admin.ok(createNote, { ...by(harbor), body: { content: 'Asked for a terminal.' } });
    expect(note).toEqual({
      id: expect.stringMatching(/^\d+$/),
      merchantId: harbor.id,
      date: expect.any(String),
      author: acme.adminEmail,
      content: 'Asked for a terminal.',
      type: 'general',
      visibility: 'internal',
      version: 1,
      updatedAt: note.date,
    });
    const params = { merchantId: harbor.id, noteId: Number(note.id) };
    const changed = await acme.key.ok(updateNote, { params, body: { content: 'Got it.', type: 'support' } });
    expect(changed).toMatchObject({
      ...note,
      content: 'Got it.',
      type: 'support',
      version: 2,
      updatedAt: expect.any(String),
    });
    expect(changed.updatedBy).toBe(acme.apiKey);
    expect((await admin.ok(updateNote, { params, body: { type: 'support' } })).version).toBe(2);
    expect(await read(harbor)).toMatchObject({ notes: [changed], totals: { notes: 1, equipment: 0 } });
    expect(await admin.ok(deleteNote, { params })).toEqual(changed);
    expect(await read(harbor)).toMatchObject({ notes: [], totals: { notes: 0 } });
    expect((await admin.call(deleteNote, { params })).status).toBe(404);
  });

  test('the events of a note refer to its merchant and do not contain its content', async () => {
    const harbor = await merchant();
    const body = { content: 'canary of a note', type: 'risk', visibility: 'all' } as const;
    const { id } = await admin.ok(createNote, { ...by(harbor), body });
    const parent = { type: 'merchant', id: harbor.id };
    const subject = { type: 'note', id: Number(id), version: 1, parent };
    expect(await newest(kindOfNote)).toMatchObject({
      kind: 'note_created',
      subject,
      data: {
        changes: {
          merchantId: { to: harbor.id },
          type: { to: 'risk' },
          visibility: { to: 'all' },
          content: {},
        },
      },
    });
    const params = { merchantId: harbor.id, noteId: Number(id) };
    await admin.ok(updateNote, { params, body: { content: 'another canary of a note' } });
    expect(await newest(kindOfNote)).toEqual({
      kind: 'note_updated',
      subject: { ...subject, version: 2 },
      data: { changes: { content: {} } },
    });
    await admin.ok(deleteNote, { params });
    expect(await newest(kindOfNote)).toMatchObject({ kind: 'note_deleted', data: { merchantId: harbor.id } });
    expect(JSON.stringify(await storedEvents(acme.accountId))).not.toContain('canary of a note');
  });

  test('notes have at most 8,000 characters, are listed newest first, and can be filtered by type and visibility', async () => {
    const harbor = await merchant();
    const write = (body: { content: string; type?: 'risk'; visibility?: 'merchant' }) =>
      admin.ok(createNote, { ...by(harbor), body });
    const long = await write({ content: 'x'.repeat(8000) });
    const risk = await write({ content: 'b', type: 'risk' });
    const shown = await write({ content: 'c', visibility: 'merchant' });
    const list = async (query: object) => (await admin.ok(listNotes, { ...by(harbor), query })).data;
    expect(await list({})).toEqual([shown, risk, long]);
    expect(await list({ type: 'risk' })).toEqual([risk]);
    expect(await list({ visibility: 'internal' })).toEqual([risk, long]);
    expect(await list({ search: 'XXX' })).toEqual([long]);
    expect(await list({ sort: 'date' })).toEqual([long, risk, shown]);
    const tooLong = { ...by(harbor), body: { content: 'x'.repeat(8001) } };
    expect((await admin.call(createNote, tooLong)).body.details?.[0]?.field).toBe('content');
  });

  test('a request for a note of another, deleted or unknown merchant returns 404', async () => {
    const [harbor, other] = [await merchant(), await merchant()];
    const { id } = await admin.ok(createNote, { ...by(harbor), body: { content: 'a' } });
    const params = { merchantId: other.id, noteId: Number(id) };
    const statuses = async (one: { id: number }, noteParams: typeof params) => [
      (await admin.call(listNotes, by(one))).status,
      (await admin.call(listNotes, { ...by(one), query: { type: 'risk' } })).status,
      (await admin.call(createNote, { ...by(one), body: { content: 'a' } })).status,
      (await admin.call(updateNote, { params: noteParams, body: { content: 'b' } })).status,
      (await admin.call(deleteNote, { params: noteParams })).status,
    ];
    expect((await statuses(other, params)).slice(3)).toEqual([404, 404]);
    expect(await statuses({ id: 7 }, { ...params, merchantId: 7 })).toEqual([404, 404, 404, 404, 404]);
    await admin.ok(deleteMerchant, by(harbor));
    expect(await statuses(harbor, { ...params, merchantId: harbor.id })).toEqual([404, 404, 404, 404, 404]);
  });
});

interface Kind {
  kind: string;
  /** The path parameter for the id of the record. */
  parameter: string;
  add: Endpoint;
  change: Endpoint;
  remove: Endpoint;
  /** Two bodies that differ. */
  bodies: [object, object];
}

const kinds: Kind[] = [
  {
    kind: 'note',
    parameter: 'noteId',
    add: createNote,
    change: updateNote,
    remove: deleteNote,
    bodies: [{ content: 'a' }, { content: 'b' }],
  },
  {
    kind: 'piece of equipment',
    parameter: 'equipmentId',
    add: createEquipment,
    change: updateEquipment,
    remove: deleteEquipment,
    bodies: [{ type: 'a' }, { type: 'b' }],
  },
];

test.each(kinds)(
  'a $kind is changed and deleted with its current ETag, and another ETag returns 412',
  async ({ parameter, add, change, remove, bodies: [first, next] }) => {
    const harbor = await merchant();
    const { id } = (await admin.ok(add, { ...by(harbor), body: first })) as { id: string };
    const params = { merchantId: harbor.id, [parameter]: Number(id) };
    const changed = await admin.call(change, { params, body: next, headers: { 'if-match': '"1"' } });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    const stale = { params, headers: { 'if-match': '"1"' } };
    expect((await admin.call(change, { ...stale, body: first })).status).toBe(412);
    expect((await admin.call(remove, stale)).status).toBe(412);
    expect((await admin.call(remove, { params, headers: { 'if-match': '"2"' } })).status).toBe(200);
  },
);

describe('a piece of equipment', () => {
  test('a piece of equipment is active by default, and each change emits an event of the merchant', async () => {
    const harbor = await merchant();
    const body = { type: 'terminal', model: 'T2', deployedDate: '2026-03-01' };
    const piece = await admin.ok(createEquipment, { ...by(harbor), body });
    expect(piece).toEqual({
      id: expect.stringMatching(/^\d+$/),
      merchantId: harbor.id,
      ...body,
      status: 'active',
      version: 1,
      createdAt: expect.any(String),
      createdBy: acme.adminEmail,
      updatedAt: piece.createdAt,
    });
    const subject = { type: 'merchant', id: harbor.id };
    const path = `equipment[${piece.id}]`;
    expect(await newest(['merchant_updated'])).toEqual({
      kind: 'merchant_updated',
      subject,
      data: {
        changes: {
          [`${path}.id`]: { to: Number(piece.id) },
          [`${path}.type`]: { to: 'terminal' },
          [`${path}.model`]: { to: 'T2' },
          [`${path}.status`]: { to: 'active' },
          [`${path}.deployedDate`]: { to: '2026-03-01' },
        },
      },
    });
    const params = { merchantId: harbor.id, equipmentId: Number(piece.id) };
    const returned = await admin.ok(updateEquipment, {
      params,
      body: { status: 'returned', returnedDate: '2026-04-01', model: null },
    });
    expect(returned).toMatchObject({ status: 'returned', returnedDate: '2026-04-01', version: 2 });
    expect(returned.model).toBeUndefined();
    expect(await newest(['merchant_updated'])).toEqual({
      kind: 'merchant_updated',
      subject,
      data: {
        changes: {
          [`${path}.status`]: { from: 'active', to: 'returned' },
          [`${path}.returnedDate`]: { to: '2026-04-01' },
          [`${path}.model`]: { from: 'T2' },
        },
      },
    });
    expect((await admin.ok(updateEquipment, { params, body: { status: 'returned' } })).version).toBe(2);
    expect(await read(harbor)).toMatchObject({ version: 1, equipment: [returned], totals: { equipment: 1 } });
    expect(await admin.ok(deleteEquipment, { params })).toEqual(returned);
    expect((await newest(['merchant_updated']))?.data).toMatchObject({
      changes: { [`${path}.type`]: { from: 'terminal' } },
    });
    expect((await admin.call(deleteEquipment, { params })).status).toBe(404);
    expect(
      (await admin.call(createEquipment, { ...by(harbor), rawBody: '{}' })).body.details?.[0]?.field,
    ).toBe('type');
    expect((await admin.call(updateEquipment, { params, body: { deployedDate: '2026-02-30' } })).status).toBe(
      400,
    );
  });

  test('a piece of equipment is filtered by type and status, and returns 404 under another merchant', async () => {
    const [harbor, other] = [await merchant(), await merchant()];
    const add = (body: { type: string; status?: 'inactive' }) =>
      admin.ok(createEquipment, { ...by(harbor), body });
    const [terminal, printer] = [
      await add({ type: 'terminal' }),
      await add({ type: 'printer', status: 'inactive' }),
    ];
    const list = async (query: object) => (await admin.ok(listEquipment, { ...by(harbor), query })).data;
    expect(await list({})).toEqual([printer, terminal]);
    expect(await list({ status: 'inactive' })).toEqual([printer]);
    expect(await list({ search: 'TERM' })).toEqual([terminal]);
    const params = { merchantId: other.id, equipmentId: Number(terminal.id) };
    expect((await admin.call(updateEquipment, { params, body: { type: 'x' } })).status).toBe(404);
    expect((await admin.call(deleteEquipment, { params })).status).toBe(404);
    expect((await admin.call(listEquipment, by({ id: 7 }))).status).toBe(404);
  });
});

describe('the children of a merchant', () => {
  test('the response for a merchant contains its children: the newest 100 of each kind, and their total number', async () => {
    const harbor = await merchant();
    const { id } = await admin.ok(createNote, { ...by(harbor), body: { content: '0' } });
    const of = { account: acme.accountId, parent: 'MERCHANT', parentId: harbor.id, kind: 'NOTE' } as const;
    const first = await getItem(childKey(of, Number(id)));
    const copies = Array.from({ length: 104 }, (_, n) => {
      const copy = Number(id) + n + 1;
      return { ...first, ...childKey(of, copy), id: copy, content: String(n + 1) };
    });
    await putAll(copies);
    const { notes, totals } = await read(harbor);
    expect(notes.map(({ content }) => content)).toEqual(
      Array.from({ length: 100 }, (_, n) => String(104 - n)),
    );
    expect(totals.notes).toBe(1);
  });

  test('the children of a merchant cannot be created during its deletion', async () => {
    const harbor = await merchant();
    beforeNextTransaction(() => admin.ok(deleteMerchant, by(harbor)));
    expect((await admin.call(createNote, { ...by(harbor), body: { content: 'b' } })).status).toBe(404);
  });
});

test('the response for a merchant contains its documents with their types, until the documents are deleted', async () => {
  const { id: merchantId } = await merchant();
  const body = { ...describedScan, type: 'contract' };
  const made = await acme.admin.ok(createMerchantDocument, { params: { merchantId }, body });
  const params = { merchantId, documentId: made.id };
  await withFile(completeMerchantDocument)(acme, params, made);

  // A change of the type also changes the item with the counts per type. This item also shows whether the
  // merchant exists.
  await acme.admin.ok(updateMerchantDocument, { params, body: { type: 'statement', status: 'approved' } });
  expect(await read({ id: merchantId })).toMatchObject({
    documents: [{ id: made.id, name: 'scan.pdf', type: 'statement', status: 'approved' }],
    totals: { documents: 1 },
  });
  const { url } = await acme.admin.ok(linkMerchantDocument, { params });
  expect(await (await fetch(url)).text()).toContain('%PDF-1.7');

  await acme.admin.ok(deleteMerchantDocument, { params });
  expect(await read({ id: merchantId })).toMatchObject({ documents: [], totals: { documents: 0 } });
});

const account = acme.accountId;
const pdf = '%PDF-1.7 a contract';
const sha256 = createHash('sha256').update(pdf).digest('hex');

test('a deleted merchant leaves only a tombstone: its notes, equipment, documents and files are deleted too', async () => {
  const filled = await admin.ok(createMerchant, { body: filledMerchant });
  const of = { params: { merchantId: filled.id } };
  await admin.ok(createNote, { ...of, body: { content: 'Asked for a second terminal.' } });
  await admin.ok(createEquipment, { ...of, body: { type: 'terminal' } });
  const now = clock.now();
  const documentId = mintId(now);
  const stamp = now.toISOString();
  const document: StoredDocument = {
    ...{ id: documentId, accountId: account, version: 1, createdAt: stamp, updatedAt: stamp },
    ...{ parentId: filled.id, key: 'contract', name: 'contract.pdf', status: 'pending' },
    ...{ contentType: 'application/pdf', size: pdf.length, sha256 },
  };
  await commit({ writes: merchantDocuments.insert(document), events: [], deadline: Date.now() + 10_000 });
  const object = documentObject({ account, parent: 'merchant', parentId: filled.id, documentId });
  const { url, headers } = await presignUpload(object, document, { now, seconds: 60 });
  expect((await fetch(url, { method: 'PUT', headers, body: pdf })).status).toBe(200);
  const mid = await admin.ok(createMid, { ...of, body: { mid: '4445012345678' } });
  expect((await admin.call(deleteMerchant, of)).status).toBe(400);
  await admin.ok(deleteMid, { params: { ...of.params, midId: mid.id } });
  await drain();

  expect(await admin.ok(deleteMerchant, of)).toMatchObject({ id: filled.id, version: 1 });
  await drain();
  expect((await admin.call(readMerchant, of)).status).toBe(404);
  expect((await admin.call(deleteMerchant, of)).status).toBe(404);
  expect((await admin.call(updateMerchant, { ...of, body: {} })).status).toBe(404);
  expect((await eventsAbout(account, filled.id)).map(({ kind }) => kind)).toContain('merchant_deleted');
  const left = (await scanTable()).filter(
    (item) => item.type !== 'event' && JSON.stringify(item).includes(String(filled.id)),
  );
  expect(left).toEqual([expect.objectContaining({ sk: 'RECORD', deletedAt: expect.any(String) })]);
  expect(left[0]?.pk).toBe(recordKey(account, 'MERCHANT', filled.id).pk);
  expect(await findObject(object, { now, deadline: Date.now() + 10_000 })).toBeUndefined();
});

const under = (mid: { id: number; merchantId: number }) => ({
  params: { merchantId: mid.merchantId, midId: mid.id },
});
const list = async (one: { id: number }) => (await admin.ok(listMids, by(one))).data;
const codeOf = ({ status, body }: CallResponse<unknown>) => [status, (body as ErrorBody).error].join(' ');
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data] as const);
let numbers = 0;
const number = () => `4445-${++numbers}`;
const add = (to: { id: number }, mid = number()) => admin.ok(createMid, { ...by(to), body: { mid } });

describe('a MID', () => {
  test('a MID is added to a merchant, listed, changed and deleted, each with its events', async () => {
    const harbor = await merchant();
    const mid = await admin.ok(createMid, { ...by(harbor), body: { mid: 'AB-1' } });
    expect(mid).toMatchObject({ mid: 'AB-1', merchantId: harbor.id, status: 'active', version: 1 });
    expect(await list(harbor)).toEqual([mid]);
    const suspended = await admin.ok(updateMid, { ...under(mid), body: { status: 'suspended' } });
    expect(await admin.ok(updateMid, { ...under(mid), body: { status: 'suspended' } })).toEqual(suspended);
    const active = await admin.ok(updateMid, { ...under(mid), body: { status: 'active', mid: 'AB-2' } });
    expect(await list(harbor)).toEqual([active]);
    expect(await admin.ok(deleteMid, under(mid))).toEqual(active);
    expect(await list(harbor)).toEqual([]);
    expect(await eventsOf(mid)).toEqual([
      [
        'mid_created',
        { changes: { mid: { to: 'AB-1' }, merchantId: { to: harbor.id }, status: { to: 'active' } } },
      ],
      ['mid_updated', { changes: { status: { from: 'active', to: 'suspended' } } }],
      ['mid_suspended', {}],
      [
        'mid_updated',
        { changes: { status: { from: 'suspended', to: 'active' }, mid: { from: 'AB-1', to: 'AB-2' } } },
      ],
      ['mid_activated', {}],
      ['mid_deleted', {}],
    ]);
  });

  test('a MID is unique in its account, regardless of case, until it is changed or deleted', async () => {
    const [harbor, other] = [await merchant(), await merchant()];
    const mid = await add(harbor, 'unique-1');
    const taken = (value: string) => admin.call(createMid, { ...by(other), body: { mid: value } });
    expect(codeOf(await taken('unique-1'))).toBe('400 mid_taken');
    expect(codeOf(await taken('UNIQUE-1'))).toBe('400 mid_taken');
    expect((await admin.ok(updateMid, { ...under(mid), body: { mid: 'Unique-1' } })).mid).toBe('Unique-1');
    const second = await add(other, 'unique-2');
    expect(codeOf(await admin.call(updateMid, { ...under(second), body: { mid: 'unique-1' } }))).toBe(
      '400 mid_taken',
    );
    await admin.ok(updateMid, { ...under(mid), body: { mid: 'unique-3' } });
    expect((await taken('unique-1')).status).toBe(201);
    await admin.ok(deleteMid, under(mid));
    expect((await taken('unique-3')).status).toBe(201);
    const theirs = await globex.admin.ok(createMerchant, { body: { merchantName: 'Elsewhere' } });
    expect((await globex.admin.call(createMid, { ...by(theirs), body: { mid: 'unique-2' } })).status).toBe(
      201,
    );
  });

  test.each(['', 'x'.repeat(33), 'a b', 'a#b', 'ä', '1_2'])('a MID cannot be %j', async (mid) => {
    const response = await admin.call(createMid, { ...by(await shared), body: { mid } });
    expect([response.status, response.body.details?.[0]?.field]).toEqual([400, 'mid']);
  });
  const shared = merchant();

  test('a MID is changed with its current ETag, and a change or deletion with another ETag returns 412', async () => {
    const mid = await add(await merchant());
    const suspend = { ...under(mid), body: { status: 'suspended' as const } };
    const changed = await admin.call(updateMid, { ...suspend, headers: { 'if-match': '"1"' } });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    const stale = { ...under(mid), headers: { 'if-match': '"1"' } };
    expect((await admin.call(updateMid, { ...stale, body: { status: 'active' } })).status).toBe(412);
    expect((await admin.call(deleteMid, stale)).status).toBe(412);
  });

  test('a MID can be moved to another merchant of the account, and is then found only there', async () => {
    const [from, to] = [await merchant(), await merchant()];
    const mid = await add(from);
    const moved = await admin.ok(updateMid, { ...under(mid), body: { merchantId: to.id } });
    expect([await list(from), await list(to)]).toEqual([[], [moved]]);
    expect((await eventsOf(mid)).slice(1)).toEqual([
      ['mid_updated', { changes: { merchantId: { from: from.id, to: to.id } } }],
      ['mid_assigned', { from: from.id, to: to.id }],
    ]);
    for (const endpoint of [updateMid, deleteMid])
      expect(codeOf(await admin.call(endpoint, { ...under(mid), body: {} }))).toBe('404 not_found');
    const theirs = await globex.admin.ok(createMerchant, { body: { merchantName: 'Elsewhere' } });
    for (const merchantId of [theirs.id, 7])
      expect(codeOf(await admin.call(updateMid, { ...under(moved), body: { merchantId } }))).toBe(
        '400 merchant_unknown',
      );
    expect(codeOf(await admin.call(deleteMerchant, by(to)))).toBe('400 merchant_has_mids');
    expect((await admin.call(deleteMerchant, by(from))).status).toBe(200);
  });

  test('a MID that is moved and activated by one request emits the events of both changes', async () => {
    const [from, to] = [await merchant(), await merchant()];
    const mid = await add(from);
    await admin.ok(updateMid, { ...under(mid), body: { status: 'suspended' } });
    await admin.ok(updateMid, { ...under(mid), body: { merchantId: to.id, status: 'active' } });
    expect((await eventsOf(mid)).slice(3)).toEqual([
      [
        'mid_updated',
        {
          changes: { merchantId: { from: from.id, to: to.id }, status: { from: 'suspended', to: 'active' } },
        },
      ],
      ['mid_assigned', { from: from.id, to: to.id }],
      ['mid_activated', {}],
    ]);
  });

  test('a merchant with a MID cannot be deleted, and a MID cannot be added to a deleted merchant, even by a concurrent request', async () => {
    const harbor = await merchant();
    const mid = await add(harbor);
    expect(codeOf(await admin.call(deleteMerchant, by(harbor)))).toBe('400 merchant_has_mids');
    await admin.ok(deleteMid, under(mid));
    beforeNextTransaction(() => admin.ok(deleteMerchant, by(harbor)));
    expect(codeOf(await admin.call(createMid, { ...by(harbor), body: { mid: number() } }))).toBe(
      '404 not_found',
    );
    expect((await admin.call(listMids, by(harbor))).status).toBe(404);
    const other = await merchant();
    beforeNextTransaction(() => add(other));
    expect(codeOf(await admin.call(deleteMerchant, by(other)))).toBe('400 merchant_has_mids');
  });

  test('a MID is created by only one of 20 concurrent requests', async () => {
    const harbor = await merchant();
    injectFaults({ conflicts: 0.1, overlap: true });
    const sent = await concurrently(20, () =>
      admin.call(createMid, { ...by(harbor), body: { mid: 'one-of-20' } }),
    );
    expect(injected.overlaps).toBeGreaterThan(0);
    noFaults();
    const codes = sent.map(codeOf);
    expect(codes.filter((code) => code === '400 mid_taken')).toHaveLength(19);
    expect(await list(harbor)).toHaveLength(1);
    expect(
      (await scanTable()).filter(({ type }) => type === 'mid').filter(({ mid }) => mid === 'one-of-20'),
    ).toHaveLength(1);
  });

  test('a MID cannot be added or moved to a merchant that has 50 MIDs', async () => {
    const [full, other] = [await merchant(), await merchant()];
    await concurrently(50, () => add(full));
    expect(codeOf(await admin.call(createMid, { ...by(full), body: { mid: number() } }))).toBe(
      '400 quota_exceeded',
    );
    const mid = await add(other);
    expect(codeOf(await admin.call(updateMid, { ...under(mid), body: { merchantId: full.id } }))).toBe(
      '400 quota_exceeded',
    );
    expect((await admin.ok(listMids, by(full))).totalCount).toBe(50);
  });
});
