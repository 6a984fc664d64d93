import {
  array,
  clearable,
  dateTime,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';
import { allPoints } from '../amounts/exact.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';

export const shareBases = ['net', 'income', 'volume', 'net_after_costs'] as const;
export type ShareBase = (typeof shareBases)[number];

/** The largest amount of an agreement, in millionths: one million. */
const largestTerm = 1_000_000_000_000;
/** The most versions of an agreement. All of them are in one item. */
export const mostVersions = 100;
/** The most levels above the beneficiary. */
const mostLevels = 5;

const points = (description: string, example = 5_000, maximum = allPoints) =>
  integer({
    minimum: 0,
    maximum,
    description: `${description} In basis points: 5000 means 50 %.`,
    examples: [example],
  });
const positiveMicros = (description: string, example: number) =>
  integer({
    minimum: 0,
    maximum: largestTerm,
    description: `${description} In millionths of the currency.`,
    examples: [example],
  });

export const AgreementScope = object(
  {
    mid: optional(string({ minLength: 1, maxLength: 32, examples: ['4445012345678'] })),
    merchantId: optional(recordId({ description: 'All MIDs of the merchant.' })),
    processor: optional(processorName('All MIDs of the processor.')),
  },
  {
    examples: [{ mid: '4445012345678' }],
    description:
      'At most one of the fields. Without a field, the agreement is the default. For a row, the agreement of its MID wins over that of the merchant, which wins over that of the processor, which wins over the default.',
  },
);
export type AgreementScope = Static<typeof AgreementScope>;

const Share = object(
  {
    basisPoints: optional(points('The share of the base.')),
    of: optional(
      oneOf(shareBases, {
        description: 'The base. `net_after_costs`: the net amount of the row minus `costs`.',
      }),
    ),
    amountPerItem: optional(positiveMicros('An amount for each transaction, in place of a share.', 20_000)),
  },
  {
    description: 'Either `basisPoints` and `of`, or `amountPerItem`.',
    examples: [{ basisPoints: 5_000, of: 'net_after_costs' }],
  },
);

const Costs = object(
  {
    amountPerItem: optional(positiveMicros('For each transaction.', 50_000)),
    basisPointsOfVolume: optional(points('A part of the volume.', 5)),
    amountPerMid: optional(
      positiveMicros(
        'For each MID and month. It is subtracted from the row of the MID with the largest net amount.',
        5_000_000,
      ),
    ),
  },
  { description: 'The costs before the split. Only for `net_after_costs`.' },
);

const Tiers = object(
  {
    by: oneOf(['volume', 'income', 'net']),
    steps: array(
      object({
        from: positiveMicros('The smallest total of this step.', 1_000_000_000_000),
        basisPoints: points('The share.'),
      }),
      { minItems: 1, maxItems: 10 },
    ),
  },
  {
    description:
      'Other shares for large totals. The total is the sum over all rows of the agreement in the file. The last step that the total reaches replaces `share.basisPoints` for all rows. For a negative total, its size counts.',
  },
);

const Override = object({
  beneficiary: Beneficiary,
  basisPoints: points('The share of the same base.', 500),
});

const endFields = {
  validTo: residualMonth('The last month of the agreement.'),
  shareAfterEnd: points(
    'The share after the last month, without overrides and minimum. Without it, the agreement ends.',
    1_000,
  ),
};
const limitFields = {
  costs: Costs,
  minimum: positiveMicros(
    'The smallest amount for each MID and month of a processor. For a negative amount, its size counts.',
    1_000_000,
  ),
  cap: positiveMicros(
    'The largest amount for each MID and month of a processor. For a negative amount, its size counts.',
    500_000_000,
  ),
  tiers: Tiers,
};
const requiredTerms = {
  share: Share,
  overrides: optional(
    array(Override, {
      maxItems: mostLevels,
      description:
        'The levels above the beneficiary, lowest first. Each receives a share of the same base, at most the whole base together. With `amountPerItem`, the base of the overrides is the net amount.',
    }),
  ),
  validFrom: residualMonth('The first month of this version.'),
};

const AgreementTerms = object({
  ...requiredTerms,
  ...partial({ ...limitFields, ...endFields }).properties,
});
export type AgreementTerms = Static<typeof AgreementTerms>;

export const AgreementVersion = object({
  version: integer({ minimum: 1, examples: [1] }),
  ...AgreementTerms.properties,
  createdAt: dateTime(),
  createdBy: string({ examples: ['grace@example.com'] }),
});
export type AgreementVersion = Static<typeof AgreementVersion>;

export const AgreementInput = object({
  beneficiary: Beneficiary,
  scope: optional(AgreementScope),
  ...AgreementTerms.properties,
});
export type AgreementInput = Static<typeof AgreementInput>;

const { validFrom, share, overrides } = requiredTerms;
export const AgreementPatch = object({
  validFrom: optional(validFrom),
  share: optional(share),
  ...partial(clearable({ overrides, ...limitFields, ...endFields })).properties,
});
export type AgreementPatch = Static<typeof AgreementPatch>;

const { id, accountId, version, ...stamps } = recordFields;

const shownFields = {
  ...{ id, accountId, version },
  beneficiary: Beneficiary,
  scope: AgreementScope,
  ...AgreementTerms.properties,
  names: mapOf(string({ examples: ['Grace Hopper'] }), {
    readOnly: true,
    description: 'The names of the beneficiaries at the last change, by `type:id`.',
    examples: [{ 'user:214563398120449': 'Grace Hopper' }],
  }),
  ...stamps,
};

/** An agreement in lists, with the terms of its latest version. */
export const ListedAgreement = object(shownFields);
export type ListedAgreement = Static<typeof ListedAgreement>;

export const Agreement = object({
  ...shownFields,
  versions: array(AgreementVersion, {
    readOnly: true,
    description:
      'All versions, oldest first. For a month, the last version whose `validFrom` is not later applies.',
  }),
});
export type Agreement = Static<typeof Agreement>;

export const RehearsalInput = object({
  agreement: object({
    id: optional(
      recordId({
        description: 'The agreement that gets these terms as a new version. Default: a new agreement.',
      }),
    ),
    ...AgreementInput.properties,
  }),
  months: array(residualMonth(), { minItems: 1, maxItems: 12, uniqueItems: true }),
});
export type RehearsalInput = Static<typeof RehearsalInput>;

const compared = {
  before: micros('With the present agreements.', 123_000_000),
  after: micros('With the changed agreement.', 145_000_000),
  difference: micros('`after` minus `before`.', 22_000_000),
};

export const Rehearsal = object({
  months: array(
    object({
      month: residualMonth(),
      rows: integer({
        minimum: 0,
        description: 'The rows of the latest files of the month.',
        examples: [9_800],
      }),
      beneficiaries: array(
        object({
          beneficiary: Beneficiary,
          name: optional(string({ examples: ['Grace Hopper'] })),
          ...compared,
        }),
        { description: 'The beneficiaries whose amounts differ.' },
      ),
      house: object(compared),
    }),
  ),
});
export type Rehearsal = Static<typeof Rehearsal>;
