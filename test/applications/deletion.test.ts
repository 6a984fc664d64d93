import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import completeDocument from '../../functions/applications/complete-application-document.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createDocument from '../../functions/applications/create-application-document.ts';
import createNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import { findObject, presignUpload } from '../../shared/documents/bucket.ts';
import { documentObject, incomingObject } from '../../shared/documents/object-keys.ts';
import { mintId } from '../../shared/id/mint.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { auditKey, childKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { manyChildren } from '../harness/heavy.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const account = acme.accountId;
const pdf = '%PDF-1.7 a voided check';
const file = {
  documentKey: 'other',
  name: 'check.pdf',
  contentType: 'application/pdf' as const,
  size: pdf.length,
  sha256: createHash('sha256').update(pdf).digest('hex'),
};

/** A hundred is the most documents that an application has. */
const counts = { document: Math.min(100, manyChildren), note: manyChildren, audit: 2 * manyChildren };

test(`an application with ${counts.document} documents, ${counts.note} notes and ${counts.audit} audit entries leaves its tombstone and nothing else when it is deleted`, async () => {
  const { id } = await acme.admin.ok(createApplication, { body: filledApplication });
  const by = { params: { applicationId: id } };
  const of = { account, parent: 'APPLICATION', parentId: id } as const;

  // One of each by its endpoint, and the others as copies of what that wrote.
  await acme.admin.ok(createNote, { ...by, body: { content: 'Called the bank.' } });
  const described = await acme.admin.ok(createDocument, { ...by, body: file });
  await send(described.upload);
  const documentId = Number(described.id);
  await acme.admin.ok(completeDocument, { params: { ...by.params, documentId } });
  await drain();
  const items = async () => {
    const all = await scanTable();
    return all.filter((item) => item.type !== 'event' && JSON.stringify(item).includes(id));
  };
  const made = await items();
  const one = (type: string) => made.find((item) => item.type === type) ?? expect.fail(`no ${type}`);
  const more = (type: string, count: number, keyOf: (copy: number) => object) =>
    Array.from({ length: count }, () => {
      const copy = mintId(clock.now());
      return { ...one(type), ...keyOf(copy), id: copy };
    });
  const documents = more('document', counts.document - 1, (copy) =>
    childKey({ ...of, kind: 'DOCUMENT' }, copy),
  );
  const audits = made.filter(({ type }) => type === 'audit').length;
  await putAll([
    ...documents,
    ...more('note', counts.note - 1, (copy) => childKey({ ...of, kind: 'NOTE' }, copy)),
    ...more('audit', counts.audit - audits, (copy) => auditKey(account, 'APPLICATION', id, copy)),
  ]);
  // Every file that was kept, and some that nobody completed.
  const objects = [documentId, ...documents.map(({ id: copy }) => copy)].flatMap((copy, n) => {
    const place = { account, parent: 'application', parentId: id, documentId: copy } as const;
    return n < 10 ? [documentObject(place), incomingObject(place)] : [documentObject(place)];
  });
  const now = clock.now();
  for (let from = 0; from < objects.length; from += 20)
    await Promise.all(
      objects
        .slice(from, from + 20)
        .map(async (key) => send(await presignUpload(key, file, { now, seconds: 60 }))),
    );
  const before = await items();
  for (const [type, count] of Object.entries(counts))
    expect(before.filter((item) => item.type === type)).toHaveLength(count);

  await acme.admin.ok(deleteApplication, by);
  await drain();
  expect(await items()).toEqual([
    { pk: `ACCOUNT#${account}#APPLICATION#${id}`, sk: 'RECORD', id, deletedAt: expect.any(String) },
  ]);
  for (const key of objects)
    expect(await findObject(key, { now, deadline: Date.now() + 10_000 })).toBeUndefined();
});

async function send({ url, headers }: { url: string; headers: Record<string, string> }) {
  expect((await fetch(url, { method: 'PUT', headers, body: pdf })).status).toBe(200);
}
