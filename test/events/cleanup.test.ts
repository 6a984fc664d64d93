import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import cleanup from '../../events/consumers/cleanup.ts';
import { queuesFor } from '../../events/routing.ts';
import { findObject, presignUpload } from '../../shared/documents/bucket.ts';
import { documentObject, incomingObject } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { applicationDocuments } from '../../shared/documents/store.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { eventKinds, parents } from '../../shared/resources/derived.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { type Child, childStore } from '../../shared/table/child-store.ts';
import { childKey } from '../../shared/table/keys.ts';
import type { Write } from '../../shared/table/operations.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { clock } from '../harness/clock.ts';
import { drain, redeliveredBy } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { scanTable } from '../harness/raw-table.ts';

// Hides the log of failed messages.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(noFaults);

const acme = 'acme' as AccountId;
const now = new Date();
const fields = (accountId: AccountId) => ({
  accountId,
  version: 1,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

interface Parent extends Versioned {
  id: string;
  listId: number;
}
interface Note extends Child {
  parentId: string;
}
const applications = recordStore<Parent, 'application', { id: string }>({
  resource: 'application',
  children: true,
  summary: ({ id }) => ({ id }),
});
const of = { parent: 'application', parentOf: ({ parentId }: Note) => parentId } as const;
const notes = childStore<Note, 'note'>({ ...of, resource: 'note' });
const documents = childStore<Note, 'document'>({ ...of, resource: 'document' });

const write = (writes: Write[], events: Event[] = []) =>
  commit({ writes, events, deadline: Date.now() + 60_000 });
const eventOf = (kind: string, id: string, accountId = acme): Event =>
  ({
    id: mintId(now),
    kind,
    version: 1,
    accountId,
    actor: { user: 'ada@example.com', apiKey: null },
    subject: { type: 'application', id },
    data: {},
    request: { method: 'DELETE', path: '/applications', headers: {}, ipAddress: '203.0.113.7' },
    occurredAt: now.toISOString(),
  }) as Event;

/** Creates an application with this many notes and documents. */
async function application(id: string, count: { notes?: number; documents?: number }, account = acme) {
  const record = { id, listId: mintId(now), ...fields(account) };
  await write(applications.insert(record));
  const of = { account, parent: 'APPLICATION', parentId: id } as const;
  const items = (kind: 'NOTE' | 'DOCUMENT', length = 0) =>
    Array.from({ length }, () => ({ ...childKey({ ...of, kind }, mintId(now)), type: kind.toLowerCase() }));
  await putAll([...items('NOTE', count.notes), ...items('DOCUMENT', count.documents)]);
  return record;
}
const childrenOf = async (id: string, account = acme) => [
  (await notes.newest(account, id, 10_000)).length,
  (await documents.newest(account, id, 10_000)).length,
];
/** Deletes an application and returns the event of the deletion. */
async function deletionOf(record: Parent): Promise<Event> {
  await write(applications.delete(record, now));
  return eventOf('application_deleted', record.id, record.accountId);
}

const consume = redeliveredBy(cleanup);
/** Returns the ids of the applications whose messages are delivered again. */
const redelivered = async (events: readonly Event[]) =>
  (await consume(events)).map(({ subject }) => subject.id);

test('the cleanup of an application removes all notes, documents and audit entries and leaves only the tombstone', async () => {
  const record = await application('app_whole', { notes: 200, documents: 100 });
  for (let n = 0; n < 4; n++)
    await write(
      [],
      Array.from({ length: 10 }, () => eventOf('application_updated', record.id)),
    );
  await drain();
  const inPartitions = async () => {
    const items = await scanTable();
    return items.filter(({ pk }) => pk.startsWith('ACCOUNT#acme#APPLICATION#app_whole'));
  };
  // The record has four items: the record, its summary, its totals and the names of its search index entries.
  expect(await inPartitions()).toHaveLength(4 + 300 + 40);
  await write(applications.delete(record, now), [eventOf('application_deleted', record.id)]);
  await drain();
  expect(await inPartitions()).toEqual([
    {
      pk: 'ACCOUNT#acme#APPLICATION#app_whole',
      sk: 'RECORD',
      id: 'app_whole',
      deletedAt: now.toISOString(),
    },
  ]);
});

/**
 * The number of notes, more than one page of a query. `npm run test:extra -- heavy` sets thousands. The default is smaller,
 * because DynamoDB Local writes only 20 notes per second.
 */
const manyNotes = Number(process.env.LARGE_RECORD ?? 1101);

test('the cleanup removes more children than one page of a query', async () => {
  const record = await application('app_thousands', { notes: manyNotes, documents: 100 });
  expect(await childrenOf(record.id)).toEqual([manyNotes, 100]);
  expect(await redelivered([await deletionOf(record)])).toEqual([]);
  expect(await childrenOf(record.id)).toEqual([0, 0]);
});

test('a cleanup message is delivered again until all children are removed', async () => {
  const [stuck, other] = [
    await application('app_stuck', { notes: 30 }),
    await application('app_other', { notes: 30 }),
  ];
  const events = [await deletionOf(other), await deletionOf(stuck)];
  const [kept] = await notes.newest(acme, stuck.id, 1);
  expect(kept).toBeDefined();
  injectFaults({ leaves: (item) => item.includes('#app_stuck#') });
  expect(await redelivered(events)).toEqual(['app_stuck']);
  expect([await childrenOf(other.id), await childrenOf(stuck.id)]).toEqual([
    [0, 0],
    [30, 0],
  ]);
  noFaults();
  expect(await redelivered(events)).toEqual([]);
  expect(await childrenOf(stuck.id)).toEqual([0, 0]);
});

test('repeated, concurrent or reordered cleanup messages have the same effect as a single message', async () => {
  const a = await deletionOf(await application('app_a', { notes: 60, documents: 5 }));
  const b = await deletionOf(await application('app_b', { notes: 60, documents: 5 }));
  const again = await Promise.all([[a, b, a], [b, a], [b], [a, a, b]].map(redelivered));
  expect(again).toEqual([[], [], [], []]);
  expect(await redelivered([b, a])).toEqual([]);
  expect([await childrenOf('app_a'), await childrenOf('app_b')]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('a cleanup removes only the children of the deleted record', async () => {
  const other = 'other' as AccountId;
  const mine = await application('app_near', { notes: 3, documents: 3 });
  await application('app_near', { notes: 2, documents: 2 }, other);
  await application('app_near~2', { notes: 1, documents: 1 });
  expect(await redelivered([await deletionOf(mine)])).toEqual([]);
  expect(await childrenOf('app_near')).toEqual([0, 0]);
  expect(await childrenOf('app_near', other)).toEqual([2, 2]);
  expect(await childrenOf('app_near~2')).toEqual([1, 1]);
});

test('a cleanup message for a record that is not deleted removes nothing and is delivered again', async () => {
  await application('app_alive', { notes: 3 });
  const deleted = await deletionOf(await application('app_gone', { notes: 3 }));
  const events = [
    eventOf('application_deleted', 'app_alive'),
    deleted,
    eventOf('application_deleted', 'app_never'),
  ];
  expect(await redelivered(events)).toEqual(['app_alive', 'app_never']);
  expect([await childrenOf('app_alive'), await childrenOf('app_gone')]).toEqual([
    [3, 0],
    [0, 0],
  ]);
});

/** Creates a document in the table, with a file in both folders of the bucket. */
async function documentOf(parentId: string): Promise<StoredDocument> {
  const document: StoredDocument = {
    ...fields(acme),
    id: mintId(now),
    parentId,
    key: 'voided-check',
    name: 'check.pdf',
    contentType: 'application/pdf',
    size: 4,
    sha256: createHash('sha256').update('%PDF').digest('hex'),
    status: 'pending',
  };
  await write(applicationDocuments.insert(document));
  for (const key of objectsOf(document)) {
    const { url, method, headers } = await presignUpload(key, document, { now: clock.now(), seconds: 60 });
    expect((await fetch(url, { method, headers, body: '%PDF' })).status).toBe(200);
  }
  return document;
}
const objectsOf = ({ parentId, id }: StoredDocument) => {
  const place = { account: acme, parent: 'application', parentId, documentId: id } as const;
  return [incomingObject(place), documentObject(place)];
};
/** Returns how many of the document's two objects exist in the bucket. */
async function filesOf(document: StoredDocument): Promise<number> {
  const timing = { now: clock.now(), deadline: Date.now() + 10_000 };
  const found = await Promise.all(objectsOf(document).map((key) => findObject(key, timing)));
  return found.filter((one) => one !== undefined).length;
}
const fileDeletion = ({ parentId, id }: StoredDocument): Event => {
  const event = eventOf('file_deleted', String(parentId));
  return Object.assign(event, { data: { documentId: id } });
};

test('the file of a deleted document is removed, and other files are kept', async () => {
  await application('app_files', {});
  const [deleted, kept] = [await documentOf('app_files'), await documentOf('app_files')];
  await write(applicationDocuments.delete(deleted));
  expect(await redelivered([fileDeletion(deleted), fileDeletion(deleted)])).toEqual([]);
  expect(await redelivered([fileDeletion(deleted)])).toEqual([]);
  expect([await filesOf(deleted), await filesOf(kept)]).toEqual([0, 2]);
});

test('the file of an existing document or record is not removed', async () => {
  await application('app_kept', {});
  const document = await documentOf('app_kept');
  const events = [fileDeletion(document), eventOf('application_deleted', 'app_kept')];
  expect(await redelivered(events)).toEqual(['app_kept', 'app_kept']);
  expect(await filesOf(document)).toBe(2);
});

test('the cleanup of a record removes the files of all its documents', async () => {
  const record = await application('app_emptied', {});
  const all = [await documentOf('app_emptied'), await documentOf('app_emptied')];
  await application('app_neighbour', {});
  const other = await documentOf('app_neighbour');
  const event = await deletionOf(record);
  expect(await redelivered([event])).toEqual([]);
  expect(await redelivered([event])).toEqual([]);
  expect(await Promise.all([...all, other].map(filesOf))).toEqual([0, 0, 2]);
});

test('only events whose kind requires the removal of data are sent to the cleanup consumer', () => {
  const routed = eventKinds.filter(
    (kind) => kind !== 'healthcheck' && queuesFor(eventOf(kind, 'any')).includes('cleanup'),
  );
  expect(routed).toEqual(
    eventKinds.filter((kind) => kind.endsWith('_deleted') && kind !== 'account_deleted'),
  );
  for (const name of Object.keys(parents)) expect(routed).toContain(`${name}_deleted`);
  for (const { childKinds } of Object.values(parents))
    expect(new Set(childKinds).size).toBe(childKinds.length);
});
