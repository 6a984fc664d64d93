import { boolean, nameText, object, oneOf, optional, type Static, sensitive, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Beneficiary } from '../amounts/beneficiary.ts';

/** The most payout accounts of an account: one for each beneficiary. */
export const mostPayoutAccounts = 5_000;

const payoutAccountId = (description: string) =>
  string({
    minLength: 6,
    maxLength: 72,
    pattern: '^(?:user:[1-9][0-9]{0,15}|account:[A-Za-z0-9_-]{1,64})$',
    description,
    examples: ['user:214563398120449'],
  });

export const PayoutAccountParams = object({
  id: payoutAccountId(
    'The beneficiary: `user:` and the id of a user, or `account:` and the id of a child account.',
  ),
});

export const RevealPayoutAccount = object({
  reveal: optional(boolean({ description: 'Show the account number. Requires a fresh proof.' })),
});

const accountNumber = sensitive({
  minLength: 1,
  maxLength: 64,
  description:
    'Sensitive: shown as REDACTED unless `reveal` is true. At most 17 digits, letters and hyphens. Zeros at the start belong to it.',
  examples: ['000123456789'],
});

export const bankFields = {
  holderName: nameText({
    maxLength: 100,
    description: 'The owner of the bank account. A NACHA file contains the first 22 characters.',
    examples: ['Ada Byron'],
  }),
  holderType: oneOf(['person', 'company'], {
    description: 'A NACHA file pays persons by PPD entries, and companies by CCD entries.',
  }),
  routingNumber: string({
    maxLength: 9,
    description: 'The nine digits of the bank, with a valid check digit.',
    examples: ['011000015'],
  }),
  accountType: oneOf(['checking', 'savings']),
};

export const PayoutAccountInput = object({ ...bankFields, accountNumber });
export type PayoutAccountInput = Static<typeof PayoutAccountInput>;

export const accountNumberLast4 = optional(
  string({
    readOnly: true,
    description: 'The last four characters, if the number has at least eight.',
    examples: ['6789'],
  }),
);

/** The account number in responses that never show it. */
export const hiddenAccountNumber = string({ description: 'Always REDACTED.', examples: ['REDACTED'] });

/** The bank account of a beneficiary. */
export const PayoutAccount = object({
  ...recordFields,
  id: payoutAccountId('As in the path.'),
  beneficiary: Beneficiary,
  ...bankFields,
  accountNumber,
  accountNumberLast4,
});
export type PayoutAccount = Static<typeof PayoutAccount>;

/** A payout account in lists. */
export const ListedPayoutAccount = object({
  ...PayoutAccount.properties,
  accountNumber: hiddenAccountNumber,
});
