import { describe, expect, test } from 'vitest';
import { always, type Condition, evaluate, never } from '../../shared/sales/applications/condition.ts';
import { anOwner, completeForm, emptyForm, sealed, withField } from './forms.ts';

const volume = 'scheduleABasics.highMonthlyVolume';
const over = (atLeast: number): Condition => ({ total: [volume], atLeast });
const form = completeForm();
const holds = (condition: Condition, of = form) => evaluate(condition, { form: of }).holds;

describe('a condition', () => {
  test('on an empty field is false', () => {
    const conditions: Condition[] = [
      { filled: 'basics.dbaName' },
      { yes: 'basics.locationDifferent' },
      { field: 'basics.dbaStruct', among: ['', 'undefined'] },
      { field: 'basics.dbaZip', is: 'zip' },
      { field: 'basics.dbaZip', isNot: 'zip' },
      { total: [volume], atLeast: 0 },
      { total: [volume], below: 1 },
      { total: [volume], otherThan: 100 },
      { field: 'scheduleABasics.maxSaleAmount', lessThan: 'scheduleABasics.avgSaleAmount' },
      { field: 'basics.dbaTaxId', fault: 'tax_id_digits' },
      { field: 'businessOwners[].socialSecurityNumber', sharedByOwners: true },
      { method: ['card_present', 'ecommerce', 'moto', 'mixed'] },
      { collisions: 1 },
    ];
    for (const condition of conditions)
      expect(holds(condition, emptyForm()), JSON.stringify(condition)).toBe(false);
  });

  test('can be always true or always false', () => {
    expect(evaluate(always, { form })).toEqual({ holds: true, facts: [] });
    expect(evaluate(never, { form })).toEqual({ holds: false, facts: [] });
  });

  test('treats blank text as empty, but not zero, false or an encrypted value', () => {
    expect(holds({ filled: 'basics.dbaName' }, withField(form, 'basics.dbaName', '  '))).toBe(false);
    expect(holds({ filled: 'businessHistory.yearsInBiz' })).toBe(true);
    expect(holds({ filled: 'basics.dbaTaxId' })).toBe(true);
    const no = withField(form, 'basics.locationDifferent', false);
    expect(holds({ filled: 'basics.locationDifferent' }, no)).toBe(true);
    expect(holds({ yes: 'basics.locationDifferent' }, no)).toBe(false);
  });

  test.each([
    [true, true],
    ['true', true],
    ['Yes', true],
    ['Y', true],
    ['1', true],
    ['false', false],
    ['no', false],
    ['0', false],
  ])('reads %j as yes: %s', (value, expected) => {
    const filled = withField(form, 'businessDetails.seasonalMerchantBool', value);
    expect(holds({ yes: 'businessDetails.seasonalMerchantBool' }, filled)).toBe(expected);
  });

  test('compares only letters and digits of texts', () => {
    const condition: Condition = { field: 'basics.dbaStruct', among: ['soleproprietorship'] };
    for (const text of ['sole_proprietorship', 'Sole Proprietorship', 'SOLE-PROPRIETORSHIP'])
      expect(holds(condition, withField(form, 'basics.dbaStruct', text)), text).toBe(true);
    expect(holds(condition, withField(form, 'basics.dbaStruct', 'partnership'))).toBe(false);
  });

  test('adds up the fields that are filled in, and compares exactly', () => {
    const total = ['orderProcessing.cardKeyedPercent', 'orderProcessing.cardMoToPercent'] as const;
    const keyed = withField(form, 'orderProcessing.cardKeyedPercent', 30);
    const both = withField(keyed, 'orderProcessing.cardMoToPercent', 20);
    expect(holds({ total, atLeast: 50 }, keyed)).toBe(false);
    expect(holds({ total, atLeast: 50 }, both)).toBe(true);
    expect(holds({ total, below: 50 }, keyed)).toBe(true);
    expect(holds({ total, below: 50 }, both)).toBe(false);
    expect(holds({ total, otherThan: 50 }, keyed)).toBe(true);
    expect(holds({ total, otherThan: 50 }, both)).toBe(false);
  });

  test('finds a value of another owner by its hash, and never one without a hash', () => {
    const field = 'businessOwners[].socialSecurityNumber';
    const twins = { ...form, businessOwners: [anOwner('a'), anOwner('b'), anOwner('other')] };
    const of = (index: number, owners = twins) =>
      evaluate({ field, sharedByOwners: true }, { form: owners, owner: owners.businessOwners[index] }).holds;
    expect([of(0), of(1), of(2)]).toEqual([true, true, false]);
    const bare = { jwe: 'x', faults: [] };
    const unhashed = {
      ...form,
      businessOwners: ['a', 'b'].map((id) => anOwner(id, { socialSecurityNumber: bare })),
    };
    expect(of(0, unhashed)).toBe(false);
  });
});

describe('the deciding facts', () => {
  test('contain the field, its value and the threshold', () => {
    expect(evaluate(over(20_000), { form }).facts).toEqual([
      { field: volume, value: 25_000, threshold: 20_000 },
    ]);
    expect(evaluate(over(20_000), { form: emptyForm() }).facts).toEqual([
      { field: volume, threshold: 20_000 },
    ]);
  });

  test('are those that agree with the outcome', () => {
    const prior: Condition = { filled: 'businessHistory.previousCcProcessor' };
    const named: Condition = { filled: 'basics.dbaName' };
    const fieldsOf = (condition: Condition) => evaluate(condition, { form }).facts.map(({ field }) => field);
    expect(fieldsOf({ any: [prior, named] })).toEqual(['basics.dbaName']);
    expect(fieldsOf({ all: [prior, named] })).toEqual(['businessHistory.previousCcProcessor']);
    expect(fieldsOf({ any: [prior, { not: named }] })).toEqual([
      'businessHistory.previousCcProcessor',
      'basics.dbaName',
    ]);
    expect(fieldsOf({ all: [named, { not: prior }, named] })).toEqual([
      'basics.dbaName',
      'businessHistory.previousCcProcessor',
    ]);
  });

  test('never contain a sensitive value', () => {
    const wrong = withField(form, 'basics.dbaTaxId', sealed('basics.dbaTaxId', '12'));
    const finding = evaluate({ field: 'basics.dbaTaxId', fault: 'tax_id_digits' }, { form: wrong });
    expect(finding).toEqual({ holds: true, facts: [{ field: 'basics.dbaTaxId' }] });
  });

  test('of a derived processing method include the numbers that it depends on', () => {
    const method = { method: 'mixed', facts: [{ field: 'x', value: 3, threshold: 50 }] } as const;
    expect(evaluate({ method: ['mixed'] }, { form, method }).facts).toEqual([
      { field: 'processingMethod', value: 'mixed' },
      { field: 'x', value: 3, threshold: 50 },
    ]);
  });
});
