import {
  array,
  clearable,
  nameText,
  object,
  oneOf,
  optional,
  partial,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { currency } from '../schema.ts';

/** The most bank accounts of an account. */
export const mostBankAccounts = 100;

/** The id that the caller chooses. It is part of a path, so that it has no slash. */
export const bankAccountId = (description: string) =>
  string({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    description,
    examples: ['DE89370400440532013000'],
  });

export const BankAccountParams = object({
  id: bankAccountId('The caller’s own id of the bank account, such as its number or its last digits.'),
});

const header = string({ minLength: 1, maxLength: 80, examples: ['Betrag'] });

/** How a bank writes its files. A request and a stored bank account can state it. */
export const fileStyle = {
  dates: optional(
    oneOf(['ymd', 'dmy', 'mdy'], {
      description: 'The order of day, month and year in dates that can mean two days.',
    }),
  ),
  decimals: optional(
    oneOf(['point', 'comma'], {
      description: 'The decimal separator of amounts that can mean two numbers.',
    }),
  ),
  columns: optional(
    object(
      {
        ...partial({ date: header, amount: header, debit: header, credit: header, direction: header })
          .properties,
        ...partial({ currency: header, reference: header, account: header, status: header }).properties,
        description: optional(array(header, { minItems: 1, maxItems: 10 })),
      },
      {
        examples: [{ date: 'date', amount: 'amount', description: ['description'] }],
        description:
          'The headers of a CSV file by their meaning. Other columns are found by the usual headers of banks. `direction` tells incoming from outgoing money, and `reference` is the bank’s own id of a transaction.',
      },
    ),
  ),
};

const name = nameText({ examples: ['Checking account'] });

/** The fields of a bank account that a request sets. */
export const bankAccountFields = { name, currency, ...fileStyle };
const fieldsOnly = object(bankAccountFields);
export type BankAccountFields = Static<typeof fieldsOnly>;

export const BankAccountInput = object({ name, currency, ...partial(clearable(fileStyle)).properties });
export type BankAccountInput = Static<typeof BankAccountInput>;

/** A bank account of an account, with the style of its files. */
export const BankAccount = object({
  ...recordFields,
  id: bankAccountId('As in the path.'),
  ...bankAccountFields,
});
export type BankAccount = Static<typeof BankAccount>;
