import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Condition } from '../../shared/sales/applications/completeness/condition.ts';
import {
  documentRules,
  fieldRules,
  findWarnings,
  methodRules,
  processingMethod,
  riskRules,
  warningRules,
} from '../../shared/sales/applications/completeness/rules.ts';
import { formValueFaults } from '../../shared/sales/applications/completeness/value-faults.ts';
import {
  ownerFields,
  sectionFields,
  sensitiveFormFields,
} from '../../shared/sales/applications/record/fields.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import { anOwner, completeForm, encrypted, today, withField } from './forms.ts';

const warningsOf = (form: FilledForm) => findWarnings(form, processingMethod(form));

const isSensitive = (path: string): boolean =>
  Object.values(sensitiveFormFields).some((names) => names.some((name) => path.endsWith(`.${name}`)));

/** Returns the complete form with the given fields replaced. Sensitive values are encrypted. */
const answered = (answers: Record<string, unknown>): FilledForm =>
  Object.entries(answers).reduce(
    (form, [path, value]) =>
      withField(form, path, isSensitive(path) && typeof value === 'string' ? encrypted(path, value) : value),
    completeForm(),
  );

const phones = {
  good: ['+1 415 555 0134', '(415) 555-0134', '1-415-555-0134', '415.555.0134 x12', '4155550134 ext. 7'],
  bad: [
    '415 555 013',
    '+44 20 7946 0018',
    '115 555 0134',
    '415 155 0134',
    '911 555 0134',
    '415 911 0134',
    '495 555 0134',
    '2 415 555 0134',
    'call me',
  ],
};
const emails = {
  good: ['ada@example.com', 'a.b+c@mail.example.co'],
  bad: ['ada', 'ada@example', 'ada@@example.com', 'a da@example.com', '@example.com', 'ada@example..com'],
};
const states = {
  good: ['CA', 'dc', 'PR', 'GU', 'VI', 'AS', 'MP', 'AA', 'AE', 'AP', 'WY'],
  bad: ['XX', 'California', 'C', 'BC'],
};
const zips = {
  good: ['94110', '94110-1234', '941101234', '00501'],
  bad: ['9411', '941101', '94110-12', '00000', 'A1A 1A1'],
};
const boxes = {
  good: [
    '12 Harbor Street',
    '9 Box Lane',
    'Post Road 4',
    '1 Poboxer Way',
    '12 Pobox Lane',
    'Shop 4 O Box Road',
  ],
  bad: [
    'PO Box 12',
    'P.O. Box 12',
    'P.O.Box12',
    'POBox 12',
    'PO-Box 12',
    'p o box 4',
    'POB 12',
    'Post Office Box 9',
    'Post Office Box',
  ],
};

type Answers = Record<string, unknown>;
const each = (path: string, { good, bad }: { good: unknown[]; bad: unknown[] }, rest: Answers = {}) => ({
  good: good.map((value) => ({ ...rest, [path]: value })),
  bad: bad.map((value) => ({ ...rest, [path]: value })),
});
const ssn = 'businessOwners[own_1].socialSecurityNumber';
const birth = 'businessOwners[own_1].dateOfBirth';
const taxId = 'basics.dbaTaxId';
const ein = { 'basics.tinType': 'EIN', 'basics.dbaStruct': 'LLC' };
const noTaxType = { 'basics.tinType': undefined };

const prefixes = Array.from({ length: 100 }, (_, prefix) => prefix);
const isAssigned = (prefix: number): boolean =>
  /^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)$/.test(String(prefix).padStart(2, '0'));
/** A routing number with this prefix and a valid check digit. */
const routingOf = (prefix: number): string => {
  const sum = 3 * Math.floor(prefix / 10) + 7 * (prefix % 10) + 7;
  return `${String(prefix).padStart(2, '0')}000001${(10 - (sum % 10)) % 10}`;
};

/** Examples for each rule: `bad` answers violate this rule and no other; `good` answers do not violate this rule. */
const cases: Record<string, { good: Answers[]; bad: Answers[] }> = {
  dba_email: each('basics.dbaEmail', emails),
  dba_phone: each('basics.dbaPhone', phones),
  dba_po_box: {
    good: [
      ...each('basics.dbaStreet1', boxes).good,
      { 'basics.dbaStreet1': 'PO Box 12', 'basics.locationDifferent': true },
      { 'basics.locAddr1': 'PO Box 12' },
    ],
    bad: [...each('basics.dbaStreet1', boxes).bad, ...each('basics.dbaStreet2', boxes).bad],
  },
  dba_state: each('basics.dbaState', states),
  dba_zip: each('basics.dbaZip', zips),
  tax_id_digits: {
    good: [{ [taxId]: '123-45-6788' }, { [taxId]: '12 3456789', ...ein }],
    bad: [
      { [taxId]: '12-345678' },
      { [taxId]: '12-34567890', ...ein },
      { [taxId]: 'AB-3456789', ...noTaxType },
    ],
  },
  tax_id_ein_prefix: {
    good: ['10', '01', '20', '46', '88', '95', '98'].map((prefix) => ({
      [taxId]: `${prefix}-3456789`,
      ...ein,
    })),
    bad: [
      ...'00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'
        .split(' ')
        .map((prefix) => ({ [taxId]: `${prefix}-3456789`, ...ein })),
      { [taxId]: '07-3456789', 'basics.tinType': 'EIN' },
      { [taxId]: '07-3456789', ...noTaxType, 'basics.dbaStruct': 'partnership' },
    ],
  },
  tax_id_ssn_never_issued: {
    good: [{ [taxId]: '078-45-6789' }, { [taxId]: '900-70-0000' }],
    bad: [
      { [taxId]: '666-45-6789' },
      { [taxId]: '123-00-6789' },
      { [taxId]: '900-49-6789' },
      { [taxId]: '666-45-6789', 'basics.tinType': 'ITIN' },
    ],
  },
  tax_id_ssn_placeholder: {
    good: [{ [taxId]: '123-45-6788' }, { [taxId]: '12-3456789', ...ein }],
    bad: [{ [taxId]: '123-45-6789' }, { [taxId]: '078-05-1120', 'basics.tinType': 'ITIN' }],
  },
  tax_id_neither: {
    good: [
      { [taxId]: '070-45-6789', ...noTaxType },
      { [taxId]: '12-3456789', ...noTaxType },
      { [taxId]: '666-45-6789', ...noTaxType },
    ],
    bad: [
      { [taxId]: '000-45-6789', ...noTaxType },
      { [taxId]: '070-00-6789', ...noTaxType, 'basics.dbaStruct': undefined },
    ],
  },
  tin_type_company: {
    good: [{ 'basics.dbaStruct': 'sole_proprietor' }, { 'basics.dbaStruct': undefined }, ein],
    bad: [
      { 'basics.dbaStruct': 'LLC', 'basics.tinType': 'ITIN' },
      { 'basics.dbaStruct': 'LLC' },
      { 'basics.dbaStruct': 'corporation', 'basics.tinType': 'ssn' },
    ],
  },
  loc_email: each('basics.locEmail', emails),
  loc_phone: each('basics.locPhone', phones),
  loc_po_box: {
    good: [
      ...each('basics.locAddr1', boxes, { 'basics.locationDifferent': true }).good,
      ...each('basics.locAddr1', boxes, { 'basics.locationDifferent': false }).bad,
    ],
    bad: [
      ...each('basics.locAddr1', boxes, { 'basics.locationDifferent': true }).bad,
      ...each('basics.locAddr2', boxes, { 'basics.locationDifferent': true }).bad,
    ],
  },
  loc_state: each('basics.locState', states),
  loc_zip: each('basics.locZip', zips),
  mcc: each('businessDetails.mccNumber', { good: [5814, 742, 1, 9999], bad: [0, 10_000, 58_140] }),
  website_address: each('businessDetails.website', {
    good: ['https://example.com', 'example.com', 'HTTP://www.example.co.uk/shop?a=1'],
    bad: ['example', 'ftp://example.com', 'https://', 'http://10.0.0.1', 'see facebook', 'ada@example'],
  }),
  sales_percent: {
    good: [
      { 'businessDetails.publicSalesPercent': 90, 'businessDetails.b2BSalesPercent': 10 },
      { 'businessDetails.publicSalesPercent': 100 },
    ],
    bad: [
      { 'businessDetails.publicSalesPercent': 90, 'businessDetails.b2BSalesPercent': 11 },
      { 'businessDetails.b2BSalesPercent': 99 },
      { 'businessDetails.publicSalesPercent': 0 },
    ],
  },
  routing_digits: each('businessBanking.bankRouting', {
    good: ['011000015', ' 121000358 '],
    // The first example has lost its leading zero in a spreadsheet.
    bad: ['11000015', '0110000155', '01100001A', '011-000-015'],
  }),
  routing_placeholder: each('businessBanking.bankRouting', {
    good: ['011000015', '000000013'],
    bad: ['000000000', '110000000', ' 000000000 '],
  }),
  routing_checksum: each('businessBanking.bankRouting', {
    good: ['011000015', '021000021', '121000358', '322271627'],
    bad: ['011000016', '011000051', '121000359'],
  }),
  routing_prefix: each('businessBanking.bankRouting', {
    good: prefixes.filter(isAssigned).map(routingOf),
    bad: prefixes.filter((prefix) => !isAssigned(prefix)).map(routingOf),
  }),
  bank_account_digits: each('businessBanking.bankAccount', {
    good: ['1234', '00012345678901234', '1234-5678 9'],
    bad: ['123', '123456789012345678', '12345A', '1.23457E+11'],
  }),
  owner_name: each('businessOwners[own_1].name', {
    good: ['Ada Byron', 'Robert Downing Jr.', 'Smith, Mary Ann', undefined],
    bad: ['Pelé', 'Mary Ann Smith', '山田 太郎'],
  }),
  ssn_digits: each(ssn, {
    good: ['123-45-6788', '123456788'],
    bad: ['123-45-678', '1234567890', '123-45-678X'],
  }),
  ssn_never_issued: each(ssn, {
    good: [
      '001-01-0001',
      '899-99-9999',
      '900-50-1234',
      '912-65-1234',
      '912-70-1234',
      '999-88-1234',
      '912-90-1234',
      '912-92-1234',
      '912-94-1234',
      '912-99-1234',
    ],
    bad: [
      '000-45-6789',
      '666-45-6789',
      '123-00-6789',
      '123-45-0000',
      '900-49-6789',
      '912-66-1234',
      '912-69-1234',
      '912-89-1234',
      '912-93-1234',
      '900-00-1234',
    ],
  }),
  ssn_placeholder: each(ssn, {
    good: ['078-05-1121', '123-45-6788', '987-65-4330', '000-00-0000', '666-66-6666'],
    bad: [
      '078-05-1120',
      '219-09-9999',
      '123456789',
      '111-11-1111',
      '888-88-8888',
      '999-99-9999',
      '987-65-4320',
      '987-65-4329',
    ],
  }),
  ssn_of_two_owners: { good: [{}], bad: [] },
  license_characters: each('businessOwners[own_1].driversLicenseNumber', {
    good: ['D1234567', 'd123-4567-8901', '123456789'],
    bad: ['D12', 'NONE', 'D1234567D1234567D1234', 'D12/345'],
  }),
  birth_date_real: each(birth, {
    good: ['1985-12-10', '12/10/1985', '2/29/2000', '2000-02-29'],
    bad: ['1985-02-29', '13/10/1985', '10.12.1985', '1985-1-1', 'unknown', '2/30/1985'],
  }),
  birth_date_age: each(birth, {
    good: ['2008-03-01', '1905-03-02', '1960-01-01'],
    bad: ['2008-03-02', '1905-03-01', '2030-01-01', '1000-01-01'],
  }),
  card_percent: {
    good: [
      { 'orderProcessing.cardSwipePercent': 80, 'orderProcessing.cardKeyedPercent': 20 },
      {
        'orderProcessing.cardSwipePercent': 70,
        'orderProcessing.cardKeyedPercent': 10,
        'orderProcessing.cardMoToPercent': 15,
        'orderProcessing.cardInternetPercent': 5,
      },
    ],
    bad: [
      { 'orderProcessing.cardSwipePercent': 99 },
      { 'orderProcessing.cardInternetPercent': 1 },
      { 'orderProcessing.cardSwipePercent': 60, 'orderProcessing.cardMoToPercent': 41 },
    ],
  },
  customer_service_phone: each('orderProcessing.customerServicePhone', phones),
  customer_service_email: each('orderProcessing.customerServiceEmail', emails),
  maximum_sale: {
    good: [
      { 'scheduleABasics.maxSaleAmount': 18 },
      { 'scheduleABasics.maxSaleAmount': undefined },
      { 'scheduleABasics.avgSaleAmount': undefined },
    ],
    bad: [{ 'scheduleABasics.maxSaleAmount': 17 }, { 'scheduleABasics.maxSaleAmount': 0 }],
  },
};

describe('a warning', () => {
  test('is not reported for a correct application', () => {
    expect(warningsOf(completeForm())).toEqual([]);
  });

  test('has examples in this file for every rule', () => {
    expect(Object.keys(cases)).toEqual(warningRules.map(({ id }) => id));
  });

  test.each(Object.entries(cases))('%s is reported only for wrong answers', (id, { good, bad }) => {
    expect(good).not.toEqual([]);
    for (const answers of good)
      expect(
        warningsOf(answered(answers)).map(({ rule }) => rule),
        JSON.stringify(answers),
      ).not.toContain(id);
    for (const answers of bad)
      expect(
        warningsOf(answered(answers)).map(({ rule }) => rule),
        JSON.stringify(answers),
      ).toEqual([id]);
  });

  test('about two owners with the same SSN is reported for both, even if only one SSN is written with dashes', () => {
    const withSsn = (uniqueId: string, text: string) =>
      anOwner(uniqueId, {
        socialSecurityNumber: encrypted(`businessOwners[${uniqueId}].socialSecurityNumber`, text),
      });
    const form = completeForm();
    form.businessOwners = [
      withSsn('a', '123-45-6788'),
      withSsn('b', '321-54-9876'),
      withSsn('c', '123456788'),
    ];
    expect(warningsOf(form).map(({ rule, field }) => [rule, field])).toEqual([
      ['ssn_of_two_owners', 'businessOwners[a].socialSecurityNumber'],
      ['ssn_of_two_owners', 'businessOwners[c].socialSecurityNumber'],
    ]);
  });

  test('contains the section and the path of the field, but never the value', () => {
    const form = answered({ [ssn]: '666-45-6789', 'basics.dbaZip': '1234567' });
    expect(warningsOf(form)).toEqual([
      { rule: 'dba_zip', section: 'basics', field: 'basics.dbaZip', message: expect.any(String) },
      { rule: 'ssn_never_issued', section: 'businessOwners', field: ssn, message: 'was never issued' },
    ]);
    expect(JSON.stringify(warningsOf(form))).not.toMatch(/6789|1234567/);
  });

  test('about a routing number is reported for every check digit except one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000, max: 10_999_999 }), (start) => {
        const eight = String(start).padStart(8, '0');
        const fitting = [...'0123456789'].filter(
          (digit) => warningsOf(answered({ 'businessBanking.bankRouting': eight + digit })).length === 0,
        );
        expect(fitting).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  });
});

describe('faults of an encrypted value', () => {
  test('are exactly the faults that the warning rules check, and each fault is the id of a warning rule', () => {
    const read = new Set(
      warningRules.flatMap(({ when }) =>
        conditionsIn(when).flatMap((one) => ('fault' in one ? [one.fault] : [])),
      ),
    );
    const ids = warningRules.map(({ id }) => id);
    for (const fault of read) expect(ids).toContain(fault);
    const texts = [
      '',
      '1',
      '000000000',
      '666-45-6789',
      '111-11-1111',
      '07-0000000',
      '1985-02-30',
      '2025-01-01',
    ];
    const paths = [
      taxId,
      'businessBanking.bankAccount',
      ssn,
      birth,
      'businessOwners[own_1].driversLicenseNumber',
    ];
    const found = new Set(
      paths.flatMap((path) => texts.flatMap((text) => formValueFaults(path, text, today))),
    );
    expect([...found].sort()).toEqual([...read].sort());
  });

  test('are computed for any text without an exception, and only for fields that have a rule', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(taxId, ssn, birth), (text, path) => {
        expect(Array.isArray(formValueFaults(path, text, today))).toBe(true);
        expect(formValueFaults('system.appKey', text, today)).toEqual([]);
        expect(formValueFaults('principals[1].ssn', text, today)).toEqual([]);
      }),
    );
  });

  test('of a birth date depend on the age in full years', () => {
    const day = fc.date({ min: new Date('1850-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, day, (born, now) => {
        const reached = new Date(born);
        reached.setUTCFullYear(born.getUTCFullYear() + 18);
        const exceeded = new Date(born);
        exceeded.setUTCFullYear(born.getUTCFullYear() + 121);
        const iso = (date: Date) => date.toISOString().slice(0, 10);
        const fine = iso(now) >= iso(reached) && iso(now) < iso(exceeded);
        expect(formValueFaults(birth, iso(born), now)).toEqual(fine ? [] : ['birth_date_age']);
      }),
    );
  });
});

/** Returns a condition and all its parts. */
const conditionsIn = (condition: Condition): Condition[] => [
  condition,
  ...('all' in condition ? condition.all.flatMap(conditionsIn) : []),
  ...('any' in condition ? condition.any.flatMap(conditionsIn) : []),
  ...('not' in condition ? conditionsIn(condition.not) : []),
];

describe('the paths in rules', () => {
  const known = [
    ...Object.entries(sectionFields).flatMap(([section, fields]) =>
      Object.keys(fields).map((name) => `${section}.${name}`),
    ),
    ...Object.keys(ownerFields).map((name) => `businessOwners[].${name}`),
    'businessOwners',
  ];
  const rules = [...methodRules, ...documentRules, ...fieldRules, ...warningRules, ...riskRules];
  const named = [
    ...fieldRules.flatMap(({ needs }) => needs.flat()),
    ...warningRules.map(({ field }) => field),
    ...rules
      .flatMap(({ when }) => conditionsIn(when))
      .flatMap((one) => [
        ...('field' in one ? [one.field] : []),
        ...('filled' in one ? [one.filled] : []),
        ...('yes' in one ? [one.yes] : []),
        ...('total' in one ? one.total : []),
        ...('lessThan' in one ? [one.lessThan] : []),
      ]),
  ];

  test('are fields of the form', () => {
    expect(named.length).toBeGreaterThan(100);
    for (const path of named) expect(known).toContain(path);
  });

  test('for required fields and for warnings are in the order of the form’s sections', () => {
    const order = [
      ...Object.keys(sectionFields).slice(0, 4),
      'businessOwners',
      ...Object.keys(sectionFields).slice(4),
    ];
    const sectionsOf = (paths: readonly string[]) =>
      paths.map((path) => order.indexOf(path.split(/[.[]/)[0] ?? ''));
    for (const paths of [
      fieldRules.flatMap(({ needs }) => needs.flat()),
      warningRules.map(({ field }) => field),
    ])
      expect(sectionsOf(paths)).toEqual(sectionsOf(paths).toSorted((a, b) => a - b));
  });
});

test('the ids of the document, field and warning rules are unique', () => {
  const ids = [...documentRules, ...fieldRules, ...warningRules].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
