import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import createEquipment from '../../functions/merchants/create-equipment.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import deleteMid from '../../functions/merchants/delete-mid.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import { findObject, presignUpload } from '../../shared/documents/bucket.ts';
import { documentObject } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { merchantDocuments } from '../../shared/documents/store.ts';
import { commit } from '../../shared/events/outbox.ts';
import { mintId } from '../../shared/id/mint.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin, accountId: account } = acme;
const pdf = '%PDF-1.7 a contract';
const sha256 = createHash('sha256').update(pdf).digest('hex');

test('a deleted merchant leaves only a tombstone: its notes, equipment, documents and files are deleted too', async () => {
  const merchant = await admin.ok(createMerchant, { body: filledMerchant });
  const of = { params: { merchantId: merchant.id } };
  await admin.ok(createNote, { ...of, body: { content: 'Asked for a second terminal.' } });
  await admin.ok(createEquipment, { ...of, body: { type: 'terminal' } });
  const now = clock.now();
  const documentId = mintId(now);
  const stamp = now.toISOString();
  const document: StoredDocument = {
    ...{ id: documentId, accountId: account, version: 1, createdAt: stamp, updatedAt: stamp },
    ...{ parentId: merchant.id, key: 'contract', name: 'contract.pdf', status: 'pending' },
    ...{ contentType: 'application/pdf', size: pdf.length, sha256 },
  };
  await commit({ writes: merchantDocuments.insert(document), events: [], deadline: Date.now() + 10_000 });
  const object = documentObject({ account, parent: 'merchant', parentId: merchant.id, documentId });
  const { url, headers } = await presignUpload(object, document, { now, seconds: 60 });
  expect((await fetch(url, { method: 'PUT', headers, body: pdf })).status).toBe(200);
  const mid = await admin.ok(createMid, { ...of, body: { mid: '4445012345678' } });
  expect((await admin.call(deleteMerchant, of)).status).toBe(400);
  await admin.ok(deleteMid, { params: { ...of.params, midId: mid.id } });
  await drain();

  expect(await admin.ok(deleteMerchant, of)).toMatchObject({ id: merchant.id, version: 1 });
  await drain();
  for (const endpoint of [readMerchant, deleteMerchant])
    expect((await admin.call(endpoint, of)).status).toBe(404);
  expect((await admin.call(updateMerchant, { ...of, body: {} })).status).toBe(404);
  expect((await eventsAbout(account, merchant.id)).map(({ kind }) => kind)).toContain('merchant_deleted');
  const left = (await scanTable()).filter(
    (item) => item.type !== 'event' && JSON.stringify(item).includes(String(merchant.id)),
  );
  expect(left).toEqual([expect.objectContaining({ sk: 'RECORD', deletedAt: expect.any(String) })]);
  expect(left[0]?.pk).toBe(recordKey(account, 'MERCHANT', merchant.id).pk);
  expect(await findObject(object, { now, deadline: Date.now() + 10_000 })).toBeUndefined();
});
