import {
  array,
  clearable,
  integer,
  nameText,
  object,
  oneOf,
  optional,
  partial,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { processorName } from '../amounts/schema.ts';

/** The most named fees of a format, and the most columns that are added or subtracted for one amount. */
export const mostFees = 60;
const mostTerms = 20;
/** The most formats of an account. */
export const mostFormats = 200;

const header = (example: string) => string({ minLength: 1, maxLength: 160, examples: [example] });

const terms = (example: string) => array(header(example), { minItems: 1, maxItems: mostTerms });

/** An amount of a row: the sum of some columns, minus the sum of others. */
const amountColumns = (description: string, add: string, subtract = 'Refunds') =>
  object({ add: terms(add), subtract: optional(terms(subtract)) }, { description });
export type AmountColumns = Static<ReturnType<typeof amountColumns>>;

const fee = object({
  name: nameText({ maxLength: 60, examples: ['Monthly fee'] }),
  add: terms('Monthly Fee'),
  subtract: optional(terms('Monthly Fee Refund')),
});

const columns = object(
  {
    mid: header('MID'),
    dba: optional(header('DBA Name')),
    date: optional(
      string({
        minLength: 1,
        maxLength: 160,
        description:
          'A column with the month or a date. Rows of another month than that of the file are reported, and kept.',
        examples: ['Period'],
      }),
    ),
    count: optional(amountColumns('The number of transactions.', 'Transactions')),
    volume: optional(amountColumns('The sales volume.', 'Sales Volume')),
    income: optional(amountColumns('The income from the merchant.', 'Income')),
    expense: optional(amountColumns('The costs of the merchant.', 'Expense', 'Expense Credits')),
    net: amountColumns('The residual of the row, which is shared.', 'Net', 'Adjustments'),
    fees: optional(
      array(fee, {
        maxItems: mostFees,
        description: 'More amounts with names, such as fees.',
        examples: [[]],
      }),
    ),
  },
  {
    description:
      'The headers of the columns by their meaning. A heading of several rows is joined with ` / `, as in `Visa / Volume`.',
  },
);

/** How a processor writes its files. */
const formatFields = {
  name: nameText({ maxLength: 100, examples: ['Northwind monthly residuals'] }),
  processor: processorName('The processor that sends these files.'),
  columns,
  headerRows: integer({
    minimum: 1,
    maximum: 3,
    description:
      'The number of rows of the heading. A cell of an upper row counts for the empty cells to its right.',
    examples: [1],
  }),
  sheets: optional(
    array(nameText({ maxLength: 60, examples: ['Residuals'] }), {
      minItems: 1,
      maxItems: 20,
      description: 'The names of the sheets with rows. Default: all visible sheets with the heading.',
    }),
  ),
  decimals: optional(
    oneOf(['point', 'comma'], {
      description:
        'The decimal separator of numbers in texts. If omitted, a number that can mean two numbers is rejected.',
    }),
  ),
  negatives: optional(
    oneOf(['debit', 'credit'], {
      description:
        'Which of the suffixes `DR` and `CR` makes an amount negative. If omitted, amounts with a suffix are rejected. Minus signs and brackets always make an amount negative.',
    }),
  ),
  dates: optional(
    oneOf(['ymd', 'dmy', 'mdy'], {
      description: 'The order of day, month and year in dates that can mean two days.',
    }),
  ),
};

export const ResidualFormatInput = object({
  ...formatFields,
  headerRows: optional(integer({ minimum: 1, maximum: 3, default: 1, examples: [1] })),
});
export type ResidualFormatInput = Static<typeof ResidualFormatInput>;

const { name, processor, headerRows } = formatFields;
export const ResidualFormatPatch = partial({
  ...{ name, processor, columns, headerRows },
  ...clearable({
    sheets: formatFields.sheets,
    decimals: formatFields.decimals,
    negatives: formatFields.negatives,
    dates: formatFields.dates,
  }),
});

/** How to read the files of a processor. */
export const ResidualFormat = object({ ...recordFields, ...formatFields });
export type ResidualFormat = Static<typeof ResidualFormat>;

/** The fields of a format by which a file is read. */
const readingFields = object({
  columns,
  headerRows,
  sheets: formatFields.sheets,
  decimals: formatFields.decimals,
  negatives: formatFields.negatives,
  dates: formatFields.dates,
});
export type FileReading = Static<typeof readingFields>;
