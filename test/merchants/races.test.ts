import { afterEach, expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import type { MerchantPatch } from '../../shared/sales/merchants/schema.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const create = () => admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
const by = ({ id }: { id: number }) => ({ params: { merchantId: id } });
const put = (merchant: { id: number }, body: MerchantPatch) =>
  admin.ok(updateMerchant, { ...by(merchant), body });

test('concurrent changes of every part of a merchant are all kept', async () => {
  const made = await create();
  const {
    principals,
    addresses,
    banking,
    processing,
    compliance,
    riskMetrics,
    rates: row,
    ...core
  } = filledMerchant;
  const parts: MerchantPatch[] = [
    core,
    { principals },
    { addresses },
    { banking },
    { processing },
    { compliance },
    { riskMetrics },
    { rates: row },
  ];
  injectFaults({ conflicts: 0.1, overlap: true });
  await Promise.all(parts.map((body) => put(made, body)));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const shown = await admin.ok(readMerchant, { ...by(made), query: { reveal: true } });
  const { rates, ...sent } = filledMerchant;
  expect(shown).toMatchObject({ ...sent, rates: [rates] });
  expect(shown.banking.accountNumberLast4).toBe(merchantCanaries.account.slice(-4));
});

test('concurrent changes of two fields of one object of a merchant are both kept', async () => {
  const made = await create();
  beforeNextTransaction(() => put(made, { processing: { dailyLimit: 1 } }));
  await put(made, { processing: { highTicket: 2 } });
  expect((await admin.ok(readMerchant, by(made))).processing).toMatchObject({ dailyLimit: 1, highTicket: 2 });
});
