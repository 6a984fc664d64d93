import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import explainReceivedResidualStatementLine from '../../functions/received-residuals/explain-received-line.ts';
import listReceivedResidualStatementLines from '../../functions/received-residuals/list-received-lines.ts';
import listReceivedResidualStatements from '../../functions/received-residuals/list-received-residuals.ts';
import printReceivedResidualStatement from '../../functions/received-residuals/print-received-residual.ts';
import proveReceivedResidualStatement from '../../functions/received-residuals/prove-received-residual.ts';
import readReceivedResidualStatement from '../../functions/received-residuals/read-received-residual.ts';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import listResidualAgreements from '../../functions/residual-agreements/list-residual-agreements.ts';
import listResidualRuns from '../../functions/residual-runs/list-residual-runs.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import explainResidualStatementLine from '../../functions/residual-statements/explain-statement-line.ts';
import listResidualStatementLines from '../../functions/residual-statements/list-statement-lines.ts';
import printResidualStatement from '../../functions/residual-statements/print-residual-statement.ts';
import proveResidualStatement from '../../functions/residual-statements/prove-residual-statement.ts';
import readResidualStatement from '../../functions/residual-statements/read-residual-statement.ts';
import { canonicalJson } from '../../shared/events/canonical.ts';
import { dayIn } from '../../shared/instant.ts';
import type { AdjustmentInput } from '../../shared/residuals/adjustments/schema.ts';
import type { AgreementInput } from '../../shared/residuals/agreements/schema.ts';
import { isProof } from '../event-seals/is-proof.ts';
import { childAccount } from '../harness/child-account.ts';
import { member } from '../harness/member.ts';
import { sealAll } from '../harness/seal-events.ts';
import { tenant } from '../harness/tenant.ts';
import { agree, posted, statementsOf, userOf } from './posted.ts';
import { type RowOf, storedFile, units } from './stored-files.ts';

const acme = await tenant();
const child = await childAccount(acme);
const sibling = await childAccount(acme);
const [agent, manager, other] = [
  await member(acme, ['readOwnResiduals']),
  await member(acme, ['readOwnResiduals']),
  await member(acme, ['readOwnResiduals']),
];
// 12.34 % of the volume for the agent, 5.67 % for the manager. The net amount is the secret of the house.
await agree(acme.key, {
  beneficiary: userOf(agent),
  share: { basisPoints: 1_234, of: 'volume' },
  overrides: [{ beneficiary: userOf(manager), basisPoints: 567 }],
});
await agree(acme.key, {
  beneficiary: { type: 'account', id: child.accountId },
  scope: { mid: '2002' },
  share: { basisPoints: 5_000, of: 'net' },
});
await storedFile({
  account: acme.accountId,
  rows: [
    {
      mid: '1001',
      dba: 'Harbor <Street>',
      volume: units(100),
      net: units(77.77),
      income: units(88.88),
      expense: units(11.11),
      fees: { Secret: units(6.54) },
    },
    { mid: '2002', dba: 'Elm Deli', volume: units(10), net: units(3.33) },
  ],
});
const run = await posted(acme.key);
const [own] = await statementsOf(agent.client);
const [managers] = await statementsOf(manager.client);
const params = { id: own?.id ?? 0 };

/** Texts that reveal the house's margin or another split. */
const secrets = [
  '77.77',
  '77770000',
  '88880000',
  '11110000',
  'Secret',
  String(run.house),
  String(run.shares),
  String(run.net),
  '567',
  '5670000',
];

test('an agent sees only the own statement, without the house’s margin and without other splits', async () => {
  expect(await statementsOf(agent.client)).toHaveLength(1);
  const seen = JSON.stringify([
    await agent.client.ok(readResidualStatement, { params }),
    await agent.client.ok(listResidualStatementLines, { params }),
    await agent.client.ok(explainResidualStatementLine, { params: { ...params, line: 1 } }),
    (await agent.client.call(printResidualStatement, { params })).body,
  ]);
  // Whole words only: an id or a hash may contain the digits of an amount by chance.
  for (const secret of secrets) expect(seen).not.toMatch(new RegExp(`\\b${secret}\\b`));
  for (const id of [manager.user.id, run.sha256]) expect(seen).not.toContain(String(id));
});

test('the statement of another beneficiary does not exist for an agent, on any route', async () => {
  const theirs = { id: managers?.id ?? 0 };
  expect(await statementsOf(other.client)).toEqual([]);
  for (const { client } of [agent, other]) {
    const responses = [
      await client.call(readResidualStatement, { params: theirs }),
      await client.call(listResidualStatementLines, { params: theirs }),
      await client.call(printResidualStatement, { params: theirs }),
      await client.call(proveResidualStatement, { params: theirs }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  const line = { params: { ...theirs, line: 1 } };
  expect((await agent.client.call(explainResidualStatementLine, line)).status).toBe(404);
});

test('an agent reads neither runs nor agreements, and approves no statement', async () => {
  expect((await agent.client.call(listResidualRuns)).status).toBe(403);
  expect((await agent.client.call(listResidualAgreements)).status).toBe(403);
  const body = { statementIds: [params.id] };
  expect((await agent.client.call(approveResidualStatements, { body })).status).toBe(403);
});

test('a line is explained from the row of the file to the rounding', async () => {
  const explained = await agent.client.ok(explainResidualStatementLine, { params: { ...params, line: 1 } });
  expect(explained).toMatchObject({
    line: { id: 1, kind: 'share', mid: '1001', amount: 1_234, exact: units(12.34) },
    file: { processor: 'Northwind', month: '2026-10', fileName: 'Northwind-2026-10-1.csv', fileVersion: 1 },
    row: { place: 2, mid: '1001', dba: 'Harbor <Street>', values: { volume: units(100) } },
    agreement: { version: 1, validFrom: '2026-01' },
    rounding: { exact: units(12.34), amount: 1_234, difference: 0 },
  });
  expect(explained.steps.map(({ text }) => text)).toEqual([
    'The volume of the row: 100',
    '100 × 12.34 % = 12.34',
    '12.34 needs no rounding',
  ]);
});

/** Posts October with some rows and adjustments of an agent. Returns the steps of each line of the statement. */
async function explainedSteps(
  terms: Partial<AgreementInput>,
  rows: readonly RowOf[],
  adjustments: readonly Omit<AdjustmentInput, 'beneficiary'>[] = [],
): Promise<string[][]> {
  const owner = await tenant();
  const ada = await member(owner, ['readOwnResiduals']);
  const beneficiary = userOf(ada);
  await agree(owner.key, { beneficiary, ...terms });
  for (const body of adjustments)
    await owner.key.ok(createResidualAdjustment, { body: { ...body, beneficiary } });
  if (adjustments.some(({ month }) => month === '2026-09')) await posted(owner.key, '2026-09');
  await storedFile({ account: owner.accountId, rows });
  await posted(owner.key);
  const { id = 0, lineCount = 0 } = (await statementsOf(ada.client)).at(-1) ?? {};
  const steps: string[][] = [];
  for (let line = 1; line <= lineCount; line++) {
    const explained = await ada.client.ok(explainResidualStatementLine, { params: { id, line } });
    steps.push(explained.steps.slice(0, -1).map(({ text }) => text));
    expect(explained.steps.at(-2)?.result, 'before the rounding').toBe(explained.line.exact);
  }
  return steps;
}

test('a cap and a minimum are explained by the shares of the MID and the difference', async () => {
  const limits = { cap: units(40), minimum: units(2) };
  const rows = [
    { mid: '1001', net: units(60) },
    { mid: '1001', net: units(40) },
    { mid: '1002', net: units(-1) },
  ];
  const steps = await explainedSteps(limits, rows);
  expect(steps.filter(([first]) => first?.startsWith('The shares of the MID'))).toEqual([
    ['The shares of the MID in the month: 50', 'The cap of 40: a difference of -10'],
    ['The shares of the MID in the month: -0.5', 'The minimum of 2: a difference of -1.5'],
  ]);
});

test('a tier is explained by the total that selects it', async () => {
  const tiers = { by: 'net' as const, steps: [{ from: units(50), basisPoints: 6_000 }] };
  const rows = [
    { mid: '1001', net: units(20) },
    { mid: '1002', net: units(30) },
  ];
  expect((await explainedSteps({ tiers }, rows))[0]).toEqual([
    'The net amount of the row: 20',
    'The total of 50 selects 60 %',
    '20 × 60 % = 12',
  ]);
});

test('the rounding of each line is explained: which are cut, and which get a missing cent of the total', async () => {
  const owner = await tenant();
  const ada = await member(owner, ['readOwnResiduals']);
  await agree(owner.key, { beneficiary: userOf(ada), share: { basisPoints: 3_333, of: 'net' } });
  const rows = [
    { mid: '1001', net: units(39.33) },
    { mid: '1002', net: units(5.33) },
    { mid: '1003', net: units(-0.07) },
    { mid: '1004', net: 30_001 },
  ];
  await storedFile({ account: owner.accountId, rows });
  await posted(owner.key);
  const [{ id = 0 } = {}] = await statementsOf(ada.client);
  const explained = await Promise.all(
    [1, 2, 3, 4].map((line) => ada.client.ok(explainResidualStatementLine, { params: { id, line } })),
  );
  expect(explained.map(({ steps }) => steps.slice(-2).map(({ text }) => text))).toEqual([
    [
      '39.33 × 33.33 % = 13.108689',
      '13.108689 is cut to 13.10. With a missing cent of the total, it is 13.11',
    ],
    ['5.33 × 33.33 % = 1.776489', '1.776489 is cut to 1.77'],
    ['-0.07 × 33.33 % = -0.023331', '-0.023331 is cut to -0.02'],
    [
      '0.030001 × 33.33 % = 0.009999, without parts of a millionth',
      '0.009999 is cut to 0.00. With a missing cent of the total, it is 0.01',
    ],
  ]);
  const { body } = await ada.client.call(explainResidualStatementLine, { params: { id, line: 5 } });
  expect(body).toMatchObject({ error: 'not_found', message: 'This statement has no line 5.' });
});

test('adjustments and the recovery of an advance are explained', async () => {
  const steps = await explainedSteps(
    {},
    [{ mid: '1001', net: units(100) }],
    [
      { kind: 'advance', month: '2026-09', amount: units(40), basisPoints: 2_000 },
      { kind: 'bonus', month: '2026-10', amount: units(10) },
      { kind: 'chargeback_loss', month: '2026-10', amount: units(30), basisPoints: 1_000 },
      { kind: 'clawback', month: '2026-10', amount: units(3) },
    ],
  );
  expect(steps.slice(1).sort()).toEqual(
    [
      ['Bonus'],
      ['Clawback'],
      ['Loss by a chargeback: at most 10 % of the loss of 30'],
      [
        'Recovery of an advance: at most 20 % of the shares of the month of 50, of an outstanding amount of 40',
      ],
    ].sort(),
  );
});

test('the printed page escapes texts of files, and a spreadsheet evaluates none of them', async () => {
  const { body } = await agent.client.call(printResidualStatement, { params });
  expect(String(body)).toContain('Harbor &lt;Street&gt;');
  const owner = await tenant();
  const ada = await member(owner, ['readOwnResiduals']);
  await agree(owner.key, { beneficiary: userOf(ada) });
  await storedFile({
    account: owner.accountId,
    rows: [{ mid: '=1+cmd', dba: '=HYPERLINK("x")', net: units(-6) }],
  });
  await posted(owner.key);
  const [{ id = 0 } = {}] = await statementsOf(ada.client);
  const page = String((await ada.client.call(printResidualStatement, { params: { id } })).body);
  const cells = [...page.matchAll(/<(?:td|dd|th)[^>]*>([^<]*)</g)].map(([, text = '']) => text);
  expect(cells).toEqual(expect.arrayContaining(['&#39;=1+cmd', '-3.00']));
  expect(cells.filter((text) => /^[=+@\t]/.test(text))).toEqual([]);
});

test('the printed page separates thousands, and shows the day of the posting in the time zone of the account', async () => {
  const owner = await tenant();
  const ada = await member(owner, ['readOwnResiduals']);
  await owner.admin.ok(updateAccount, {
    params: { id: owner.accountId },
    body: { timezone: 'Pacific/Kiritimati' },
  });
  await agree(owner.key, { beneficiary: userOf(ada) });
  await storedFile({ account: owner.accountId, rows: [{ mid: '1001', net: units(-2_469_135.78) }] });
  await posted(owner.key);
  const [{ id = 0, postedAt = '' } = {}] = await statementsOf(ada.client);
  const page = String((await ada.client.call(printResidualStatement, { params: { id } })).body);
  expect(page).toContain('<td>-1,234,567.89</td>');
  expect(page).toContain(`<dd>${dayIn('Pacific/Kiritimati', new Date(postedAt))}</dd>`);
  expect(page).not.toContain(postedAt);
});

test('an approval changes only the state of a statement', async () => {
  const before = await acme.key.ok(readResidualStatement, { params });
  const { statements } = await acme.key.ok(approveResidualStatements, {
    body: { statementIds: [params.id] },
  });
  const { state, version, updatedAt, updatedBy, ...rest } = before;
  expect(statements).toMatchObject([{ ...rest, state: 'approved' }]);
});

test('the proof of a statement verifies without the service', async () => {
  await sealAll(acme.accountId);
  const { statement, sha256, event } = await agent.client.ok(proveResidualStatement, { params });
  expect(createHash('sha256').update(statement).digest('hex')).toBe(sha256);
  const sealed = JSON.parse(event.sealedText);
  expect(sealed.data).toMatchObject({
    happening: 'residual_statement_ready',
    recordId: params.id,
    detail: { sha256 },
  });
  expect(isProof(event, event.seal.verifyingKey)).toBe(true);
  const { data } = await agent.client.ok(listResidualStatementLines, { params });
  const lines = createHash('sha256').update(data.map((line) => `${canonicalJson(line)}\n`).join(''));
  expect(lines.digest('hex')).toBe(JSON.parse(statement).linesSha256);
});

test('a child account sees the statements that it receives, and no others', async () => {
  const { data } = await child.admin.ok(listReceivedResidualStatements);
  expect(data).toMatchObject([{ total: 167, beneficiary: { type: 'account', id: child.accountId } }]);
  const received = { id: data[0]?.id ?? 0 };
  expect((await child.admin.ok(readReceivedResidualStatement, { params: received })).total).toBe(167);
  expect((await child.admin.ok(listReceivedResidualStatementLines, { params: received })).data).toHaveLength(
    1,
  );
  const explained = await child.admin.ok(explainReceivedResidualStatementLine, {
    params: { ...received, line: 1 },
  });
  expect(explained.row?.values).toEqual({ net: units(3.33) });
  expect((await child.admin.call(printReceivedResidualStatement, { params: received })).body).toContain(
    '1.67',
  );
  await child.admin.ok(proveReceivedResidualStatement, { params: received });
  expect((await sibling.admin.ok(listReceivedResidualStatements)).data).toEqual([]);
  for (const [client, id] of [
    [sibling.admin, received.id],
    [child.admin, params.id],
    [acme.admin, received.id],
  ] as const)
    expect((await client.call(readReceivedResidualStatement, { params: { id } })).status).toBe(404);
});
