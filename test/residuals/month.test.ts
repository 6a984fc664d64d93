import { expect, test } from 'vitest';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import downloadPayout from '../../functions/residual-payouts/download-payout.ts';
import importReturns from '../../functions/residual-payouts/import-returns.ts';
import savePayoutAccount from '../../functions/residual-payouts/save-payout-account.ts';
import savePayoutSettings from '../../functions/residual-payouts/save-payout-settings.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import { readAchRecords } from '../../shared/residuals/nacha/read-ach-records.ts';
import { member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { writeReturnFile } from './nacha/ach-files.ts';
import { bank, settings } from './payouts/world.ts';
import { agree, posted, statementsOf, userOf } from './posted.ts';
import { formatted, imported } from './residual-files.ts';

const pay = ({ admin }: Tenant) => admin.ok(createPayout, { body: { format: 'nacha', month: '2026-10' } });
const payAgain = ({ admin }: Tenant) =>
  admin.call(createPayout, { body: { format: 'nacha', month: '2026-10' } });

test('a month goes from a file to payments, and a returned payment is payable once again', async () => {
  const acme = await tenant();
  const { admin } = acme;
  const [agent, lead] = [await member(acme, ['readOwnResiduals']), await member(acme, ['readOwnResiduals'])];
  await agree(admin, {
    beneficiary: userOf(agent),
    overrides: [{ beneficiary: userOf(lead), basisPoints: 1_000 }],
  });
  await formatted(acme);
  const file = await imported(
    acme,
    'MID,DBA,Volume,Income,Expense,Net\n1001,Harbor Street,5000,150.00,49.99,100.01\n1002,Elm Deli,900,40,6.67,33.33\n',
  );
  expect(file).toMatchObject({ state: 'read', rows: 2, problemCount: 0 });
  await posted(admin);
  const statements = await statementsOf(admin);
  // 133.34 × 50 % and 10 %.
  expect(statements.map(({ payable }) => payable).sort()).toEqual([1_333, 6_667]);

  // Nothing is paid before the approval.
  await admin.ok(savePayoutSettings, { body: settings });
  for (const { user } of [agent, lead])
    await admin.ok(savePayoutAccount, { params: { id: `user:${user.id}` }, body: bank });
  expect((await payAgain(acme)).body).toMatchObject({ error: 'payout_empty' });
  await admin.ok(approveResidualStatements, { body: { statementIds: statements.map(({ id }) => id) } });

  const first = await pay(acme);
  expect(first).toMatchObject({ payments: 2, total: 8_000, skipped: [] });
  expect((await payAgain(acme)).body).toMatchObject({ error: 'payout_empty' });
  const { fileContent } = await admin.ok(downloadPayout, { params: { id: first.id } });
  const amounts = readAchRecords(fileContent).flatMap(({ entries }) =>
    entries.map(({ entry }) => Number(entry.text.slice(29, 39))),
  );
  expect(amounts.sort()).toEqual([1_333, 6_667]);

  // The bank returns the payment of the agent, and sends the same file again.
  const returned = first.entries.find(({ amount }) => amount === 6_667);
  const returns = writeReturnFile([{ code: 'R01', trace: returned?.trace ?? '', amount: 6_667 }]);
  expect(await admin.ok(importReturns, { body: { fileContent: returns } })).toMatchObject({
    returned: 1,
    repeated: 0,
  });
  expect(await admin.ok(importReturns, { body: { fileContent: returns } })).toMatchObject({
    returned: 0,
    repeated: 1,
  });
  expect(await statementsOf(agent.client)).toMatchObject([{ state: 'returned', payable: 6_667 }]);
  expect(await statementsOf(lead.client)).toMatchObject([{ state: 'paid' }]);

  const second = await pay(acme);
  expect(second.entries).toMatchObject([{ statementId: returned?.statementId, amount: 6_667 }]);
  expect(await admin.ok(importReturns, { body: { fileContent: returns } })).toMatchObject({
    returned: 0,
    repeated: 1,
  });
  expect((await payAgain(acme)).body).toMatchObject({ error: 'payout_empty' });
  expect(await statementsOf(agent.client)).toMatchObject([{ state: 'paid' }]);
});
