import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import readResidualAdjustment from '../../functions/residual-adjustments/read-residual-adjustment.ts';
import rehearseResidualAgreement from '../../functions/residual-agreements/rehearse-agreement.ts';
import updateResidualAgreement from '../../functions/residual-agreements/update-residual-agreement.ts';
import readResidualAnomalies from '../../functions/residual-anomalies/read-residual-anomalies.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import explainStatementLine from '../../functions/residual-statements/explain-statement-line.ts';
import listStatementLines from '../../functions/residual-statements/list-statement-lines.ts';
import proveResidualStatement from '../../functions/residual-statements/prove-residual-statement.ts';
import type { ResidualFormatInput } from '../../shared/residuals/formats/schema.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { sealAll } from '../harness/seal-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import { plainFormat } from '../residuals/plain-format.ts';
import { agree, posted, statementsOf, userOf } from '../residuals/posted.ts';
import { formatted, imported, rowsOf } from '../residuals/residual-files.ts';
import { storedFile, units } from '../residuals/stored-files.ts';
import { writeWorkbook } from '../residuals/write-workbook.ts';

const headers = ['MID', 'DBA', 'Count', 'Volume', 'Income', 'Expense', 'Net', 'PCI', 'PCI refund'];

/** A format that reads all columns of `headers`. */
const fullFormat: ResidualFormatInput = {
  ...plainFormat(),
  columns: {
    ...plainFormat().columns,
    count: { add: ['Count'] },
    fees: [{ name: 'PCI', add: ['PCI'], subtract: ['PCI refund'] }],
  },
};

const workbookOf = (...rows: readonly (readonly [mid: string, net: number | string])[]): Buffer =>
  writeWorkbook([
    {
      name: 'Residuals',
      rows: [headers, ...rows.map(([mid, net]) => [mid, 'Harbor Street', 12, 900, 20, 5, net, 9, 1])],
    },
  ]);

/** Reads files with problems, a file that cannot be read, and one whose processor has no format. */
async function readFiles(owner: Tenant): Promise<void> {
  await formatted(owner, fullFormat);
  const rows = [['1001', 12.34] as const, ['1001', 1] as const, ['1002', 'none'] as const];
  const { id } = await imported(owner, workbookOf(...rows, ['Total', 13.34]));
  await rowsOf(owner, { id });
  await imported(owner, 'a', { month: '2026-11' });
  await imported(owner, 'MID,Net\n1001,1.00\n', { processor: 'Harbor' });
}

/** Creates agreements with all terms, and rehearses one. */
async function agreeOnAllTerms(owner: Tenant): Promise<void> {
  const { admin, accountId: account } = owner;
  const [ada, grace] = [userOf(await member(owner)), userOf(await member(owner))];
  const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  await agree(admin, {
    beneficiary: ada,
    scope: { merchantId },
    share: { basisPoints: 5_000, of: 'net_after_costs' },
    overrides: [{ beneficiary: grace, basisPoints: 1_000 }],
    costs: { amountPerItem: 50_000, basisPointsOfVolume: 5, amountPerMid: 5_000_000 },
    ...{ minimum: 1_000_000, cap: 500_000_000, validTo: '2027-01', shareAfterEnd: 1_000 },
  });
  await agree(admin, {
    ...{ beneficiary: ada, scope: { processor: 'Northwind' }, share: { basisPoints: 5_000, of: 'net' } },
    tiers: { by: 'net', steps: [{ from: 1_000_000, basisPoints: 6_000 }] },
  });
  await agree(admin, { beneficiary: ada, scope: { processor: 'Harbor' }, share: { amountPerItem: 20_000 } });
  await storedFile({ account, rows: [{ mid: '1001', net: units(10) }] });
  const agreement = {
    ...{ beneficiary: grace, scope: { mid: '1001' }, validFrom: '2026-10' },
    share: { basisPoints: 5_000, of: 'net' as const },
  };
  await admin.ok(rehearseResidualAgreement, { body: { agreement, months: ['2026-10'] } });
}

/** Posts two months with adjustments, corrects and reverses a run, and reads statements and anomalies. */
async function postMonths(owner: Tenant): Promise<void> {
  const { admin, accountId } = owner;
  const [ada, grace] = [userOf(await member(owner)), userOf(await member(owner))];
  const rates = [{ effectiveDate: '2026-09-01', agentSplit: 40, isoSplit: 60 }];
  const { id: merchantId } = await admin.ok(createMerchant, {
    body: { merchantName: 'Harbor Street', rates },
  });
  await admin.ok(createMid, { params: { merchantId }, body: { mid: '1003' } });
  await formatted(owner, fullFormat);
  const { id: agreementId } = await agree(admin, { beneficiary: ada });
  const september = { beneficiary: ada, month: '2026-09' };
  await admin.ok(createResidualAdjustment, {
    body: { ...september, kind: 'bonus', amount: units(1), reason: 'Signing bonus' },
  });
  const advance = await admin.ok(createResidualAdjustment, {
    body: { ...september, kind: 'advance', amount: units(40), basisPoints: 2_500 },
  });
  const transfer = { kind: 'transfer', beneficiary: ada, to: grace, mid: '1002', by: 'day' } as const;
  await admin.ok(createResidualAdjustment, { body: { ...transfer, month: '2026-10', date: '2026-10-11' } });
  await imported(owner, workbookOf(['1001', 10], ['1003', 10]), { month: '2026-09' });
  await posted(admin, '2026-09');
  const rows = [
    { mid: '1001', dba: 'Harbor Street', net: units(30), volume: units(400) },
    { mid: '1002', net: units(5) },
  ];
  await imported(owner, workbookOf(['1001', 20], ['1002', 5]));
  await posted(admin);
  await storedFile({ account: accountId, rows });
  const { id: runId } = await posted(admin);
  await admin.ok(readResidualAdjustment, { params: { id: advance.id } });
  await sealAll(accountId);
  for (const { id } of await statementsOf(admin)) {
    const { data } = await admin.ok(listStatementLines, { params: { id }, query: { pageSize: 100 } });
    for (const { id: line } of data) await admin.ok(explainStatementLine, { params: { id, line } });
    await admin.ok(proveResidualStatement, { params: { id } });
  }
  const share = { basisPoints: 6_000, of: 'net' } as const;
  await admin.ok(updateResidualAgreement, {
    params: { id: agreementId },
    body: { validFrom: '2026-10', share },
  });
  for (const month of ['2026-09', '2026-10']) await admin.ok(readResidualAnomalies, { query: { month } });
  const params = { id: runId };
  await admin.ok(reverseResidualRun, { params });
  await drain();
  await admin.ok(readResidualRun, { params });
}

/** Changes the amount and the base of posted agreements, and reads the anomalies. */
async function changePostedAgreements(owner: Tenant): Promise<void> {
  const { admin, accountId: account } = owner;
  const shares = [
    ['1001', { amountPerItem: 20_000 }, { amountPerItem: 30_000 }],
    ['1002', { basisPoints: 500, of: 'net' }, { basisPoints: 500, of: 'volume' }],
  ] as const;
  const beneficiary = userOf(await member(owner));
  const agreements: number[] = [];
  for (const [mid, share] of shares)
    agreements.push((await agree(admin, { beneficiary, scope: { mid }, share })).id);
  const amounts = { count: 10, volume: units(500), net: units(10) };
  await storedFile({ account, rows: shares.map(([mid]) => ({ mid, ...amounts })) });
  await posted(admin);
  for (const [n, [, , share]] of shares.entries())
    await admin.ok(updateResidualAgreement, {
      params: { id: agreements[n] ?? 0 },
      body: { validFrom: '2026-10', share },
    });
  await admin.ok(readResidualAnomalies, { query: { month: '2026-10' } });
}

/** Reads a run that fails, because the sum of its amounts is too large. */
async function readAFailedRun({ admin, accountId: account }: Tenant): Promise<void> {
  for (const processor of ['Northwind', 'Harbor'])
    await storedFile({ account, processor, rows: [{ mid: '1001', net: Number.MAX_SAFE_INTEGER }] });
  const { id } = await admin.ok(createResidualRun, { body: { month: '2026-10' } });
  await drain();
  await admin.ok(readResidualRun, { params: { id } });
}

/** Reads residuals in states that the example requests do not reach. */
export const residualStates = [
  readFiles,
  agreeOnAllTerms,
  postMonths,
  changePostedAgreements,
  readAFailedRun,
];
