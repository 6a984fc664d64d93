import { afterEach, describe, expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import deleteMid from '../../functions/merchants/delete-mid.ts';
import listMids from '../../functions/merchants/list-mids.ts';
import updateMid from '../../functions/merchants/update-mid.ts';
import type { CallResponse, ErrorBody } from '../harness/call.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const [acme, globex] = [await tenant(), await tenant()];
const { admin } = acme;
const merchant = () => admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
const by = ({ id }: { id: number }) => ({ params: { merchantId: id } });
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

  test('a MID is unique in its account, in upper or lower case, until it is changed or deleted', async () => {
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

  test('a MID is changed and deleted only with its current ETag, else 412', async () => {
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

  test('a MID that is moved and activated by one request has the events of both', async () => {
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

  test('a MID prevents the deletion of its merchant, and cannot be added to a deleted one, also by concurrent requests', async () => {
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

  test('a MID that 20 concurrent requests create is created by one of them', async () => {
    const harbor = await merchant();
    injectFaults({ conflicts: 0.1, overlap: true });
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => admin.call(createMid, { ...by(harbor), body: { mid: 'one-of-20' } })),
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

  test('a MID beyond the 50th of a merchant is rejected, also when it is moved', async () => {
    const [full, other] = [await merchant(), await merchant()];
    await Promise.all(Array.from({ length: 50 }, () => add(full)));
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
