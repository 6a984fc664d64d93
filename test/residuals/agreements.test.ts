import { expect, test } from 'vitest';
import createResidualAgreement from '../../functions/residual-agreements/create-residual-agreement.ts';
import listResidualAgreements from '../../functions/residual-agreements/list-residual-agreements.ts';
import readResidualAgreement from '../../functions/residual-agreements/read-residual-agreement.ts';
import rehearseResidualAgreement from '../../functions/residual-agreements/rehearse-agreement.ts';
import updateResidualAgreement from '../../functions/residual-agreements/update-residual-agreement.ts';
import type { AgreementInput } from '../../shared/residuals/agreements/schema.ts';
import { member } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { agree, userOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

const acme = await tenant();
const by = acme.key;
const half: Pick<AgreementInput, 'share' | 'validFrom'> = {
  share: { basisPoints: 5_000, of: 'net' },
  validFrom: '2026-01',
};
const person = async () => userOf(await member(acme));
let scopes = 0;
const newScope = () => ({ mid: `agreement-${++scopes}` });

test('an agreement is refused with the id of the other one that already applies', async () => {
  const scope = newScope();
  const first = await agree(by, { beneficiary: await person(), scope, validTo: '2026-06' });
  await agree(by, { beneficiary: await person(), scope, validFrom: '2026-07' });
  const body = {
    ...half,
    beneficiary: await person(),
    scope: { mid: scope.mid.toUpperCase() },
    validFrom: '2026-06',
  };
  const refused = await by.call(createResidualAgreement, { body });
  expect(refused.body).toMatchObject({ error: 'agreement_conflict' });
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(new RegExp(`agreement ${first.id} already applies .* 2026-06`)),
  });
});

test('a share after the end counts as applying', async () => {
  const scope = newScope();
  await agree(by, { beneficiary: await person(), scope, validTo: '2026-06', shareAfterEnd: 500 });
  const body = { ...half, beneficiary: await person(), scope, validFrom: '2027-01' };
  expect((await by.call(createResidualAgreement, { body })).body).toMatchObject({
    error: 'agreement_conflict',
  });
});

test('of concurrent agreements with the same scope, one is created', async () => {
  const body = { ...half, beneficiary: await person(), scope: newScope() };
  const results = await Promise.all([1, 2, 3].map(() => by.call(createResidualAgreement, { body })));
  expect(results.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
});

test('cycles of overrides are refused, also over several agreements', async () => {
  const [ada, bob, eve] = [await person(), await person(), await person()];
  const above = (beneficiary: typeof ada) => [{ beneficiary, basisPoints: 100 }];
  await agree(by, { beneficiary: ada, scope: newScope(), overrides: above(bob) });
  const second = await agree(by, { beneficiary: bob, scope: newScope(), overrides: above(eve) });
  const closing = { ...half, beneficiary: eve, scope: newScope(), overrides: above(ada) };
  const own = { ...half, beneficiary: ada, scope: newScope(), overrides: above(ada) };
  for (const body of [closing, own])
    expect((await by.call(createResidualAgreement, { body })).body).toMatchObject({
      error: 'agreement_cycle',
    });
  const params = { id: second.id };
  const patched = await by.call(updateResidualAgreement, { params, body: { overrides: above(ada) } });
  expect(patched.body).toMatchObject({ error: 'agreement_cycle' });
  // After the end of an agreement, nobody is above its beneficiary.
  const later = { ...closing, validFrom: '2027-01' };
  await by.ok(updateResidualAgreement, { params, body: { validTo: '2026-12' } });
  await by.ok(createResidualAgreement, { body: later });
});

test.each<[string, Partial<AgreementInput>]>([
  ['share', { share: { basisPoints: 10 } }],
  ['share', { share: { basisPoints: 10, of: 'net', amountPerItem: 5 } }],
  ['costs', { costs: { amountPerItem: 5 } }],
  ['costs', { share: { basisPoints: 10, of: 'net_after_costs' } }],
  [
    'overrides',
    {
      share: { basisPoints: 9_000, of: 'net' },
      overrides: [{ beneficiary: { type: 'user', id: '1' }, basisPoints: 1_001 }],
    },
  ],
  [
    'tiers.steps',
    {
      tiers: {
        by: 'net',
        steps: [
          { from: 5, basisPoints: 1 },
          { from: 5, basisPoints: 2 },
        ],
      },
    },
  ],
  ['minimum', { minimum: 2, cap: 1 }],
  ['validTo', { validTo: '2025-12' }],
  ['shareAfterEnd', { shareAfterEnd: 10 }],
  ['scope', { scope: { mid: '1', processor: 'Northwind' } }],
])('an agreement with an invalid %s is refused: %o', async (field, terms) => {
  const body = { ...half, beneficiary: await person(), scope: newScope(), ...terms };
  if (terms.overrides) body.overrides = [{ beneficiary: await person(), basisPoints: 1_001 }];
  const { body: error } = await by.call(createResidualAgreement, { body });
  expect(error).toMatchObject({ error: 'invalid_input', details: [{ field }] });
});

test('a beneficiary must be an active user or a child account, and a merchant must exist', async () => {
  const body = { ...half, beneficiary: { type: 'user' as const, id: '17' }, scope: newScope() };
  expect((await by.call(createResidualAgreement, { body })).body).toMatchObject({
    error: 'beneficiary_unknown',
    details: [{ field: 'beneficiary' }],
  });
  const other = { ...body, beneficiary: { type: 'account' as const, id: acme.accountId } };
  expect((await by.call(createResidualAgreement, { body: other })).body).toMatchObject({
    error: 'beneficiary_unknown',
  });
  const unknown = { ...half, beneficiary: await person(), scope: { merchantId: 17 } };
  expect((await by.call(createResidualAgreement, { body: unknown })).body).toMatchObject({
    error: 'merchant_unknown',
  });
});

test('a patch adds a version, and the same terms again add none', async () => {
  const agreement = await agree(by, { beneficiary: await person(), scope: newScope(), cap: 5 });
  const params = { id: agreement.id };
  const changed = await by.ok(updateResidualAgreement, { params, body: { validFrom: '2026-03', cap: null } });
  expect(changed).toMatchObject({
    version: 2,
    validFrom: '2026-03',
    versions: [{ version: 1, cap: 5 }, { version: 2 }],
  });
  expect(changed.cap).toBeUndefined();
  expect(await by.ok(updateResidualAgreement, { params, body: { validFrom: '2026-03' } })).toEqual(changed);
  expect(await by.ok(readResidualAgreement, { params })).toEqual(changed);
  const { versions, ...listed } = changed;
  expect((await by.ok(listResidualAgreements)).data).toContainEqual(listed);
});

test('a rehearsal tells who would have received what, and stores nothing', async () => {
  const other = await tenant();
  const [ada, bob] = [await member(other), await member(other)];
  const agreement = await agree(other.key, { beneficiary: userOf(ada) });
  for (const month of ['2026-08', '2026-09'])
    await storedFile({
      account: other.accountId,
      month,
      rows: [
        { mid: '1', net: units(100) },
        { mid: '2', net: units(-10) },
      ],
    });
  const before = (await storedEvents(other.accountId)).length;
  const { id } = agreement;
  const terms = {
    ...half,
    beneficiary: userOf(ada),
    overrides: [{ beneficiary: userOf(bob), basisPoints: 1_000 }],
  };
  const months = ['2026-08', '2026-09', '2026-10'];
  const changed = { id, ...terms, share: { basisPoints: 4_000, of: 'net' as const }, validFrom: '2026-09' };
  const result = await other.key.ok(rehearseResidualAgreement, { body: { agreement: changed, months } });
  const compared = (was: number, is: number) => ({
    before: units(was),
    after: units(is),
    difference: units(is - was),
  });
  expect(result.months).toMatchObject([
    { month: '2026-08', rows: 2, beneficiaries: [], house: compared(45, 45) },
    { month: '2026-09', rows: 2, house: compared(45, 45) },
    { month: '2026-10', rows: 0, beneficiaries: [] },
  ]);
  const named = Object.fromEntries(
    (result.months[1]?.beneficiaries ?? []).map(({ beneficiary, difference }) => [
      beneficiary.id,
      difference,
    ]),
  );
  expect(named).toEqual({ [userOf(ada).id]: units(-9), [userOf(bob).id]: units(9) });
  expect((await storedEvents(other.accountId)).length).toBe(before);
  const second = { agreement: { ...terms, scope: { mid: '2' } }, months: ['2026-08'] };
  const own = await other.key.ok(rehearseResidualAgreement, { body: second });
  expect(own.months[0]?.beneficiaries).toMatchObject([{ beneficiary: userOf(bob), difference: units(-1) }]);
});
