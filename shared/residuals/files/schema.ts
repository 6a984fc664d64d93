import { fileSha256, Upload } from '../../documents/schema.ts';
import { fileName } from '../../formats.ts';
import {
  array,
  integer,
  mapOf,
  nameText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { micros, processorName, residualMonth } from '../amounts/schema.ts';
import { ResidualFormatInput } from '../formats/schema.ts';
import { problemReasons } from './problems.ts';

/** In bytes: 25 MB. */
export const largestFile = 25 * 1024 * 1024;
/** The problems and MIDs that a file shows. */
export const mostShown = 100;

const described = {
  fileName: nameText({
    maxLength: 255,
    pattern: fileName,
    description: 'A name for people. The content of the file shows its format.',
    examples: ['residuals-2026-10.xlsx'],
  }),
  size: integer({ minimum: 1, maximum: largestFile, description: 'In bytes.', examples: [48213] }),
  sha256: fileSha256,
};

const formatId = recordId({
  description: 'How to read the file. Default: the newest format of the processor.',
});

export const ResidualFileInput = object({
  processor: processorName('The processor that sent the file.'),
  month: residualMonth('The month of the residuals.'),
  ...described,
  formatId: optional(formatId),
});
export type ResidualFileInput = Static<typeof ResidualFileInput>;

export const ResidualFileReading = object({ formatId: optional(formatId) });

/** A cell, or a row, that could not be read as the format requires. */
export const ResidualFileProblem = object({
  place: optional(integer({ minimum: 1, description: 'The place of the row.', examples: [17] })),
  sheet: optional(string({ examples: ['Residuals'] })),
  sheetRow: optional(integer({ minimum: 1, description: 'The row number in the sheet.', examples: [17] })),
  column: optional(string({ description: 'The header of the column.', examples: ['Net'] })),
  text: optional(string({ description: 'The text of the cell. It may be cut.', examples: ['1.23E+15'] })),
  reason: oneOf(problemReasons, {
    description:
      'A row whose MID or net amount was rejected is left out of the rows. Other rejected cells are treated as empty.',
  }),
});
export type ResidualFileProblem = Static<typeof ResidualFileProblem>;

const someMids = object({
  count: integer({ minimum: 0, examples: [1] }),
  mids: array(string({ examples: ['4445012345678'] }), { description: `At most ${mostShown} of them.` }),
});

const fileStates = ['waiting', 'reading', 'read', 'failed'] as const;

const count = (description: string, example = 0) => integer({ minimum: 0, description, examples: [example] });

const readFields = {
  fileVersion: optional(
    integer({
      minimum: 1,
      description: 'Counts the files that were read for the same processor and month.',
      examples: [1],
    }),
  ),
  rows: optional(
    count('The rows of the file. While the file is read: the rows that are stored so far.', 310),
  ),
  rejectedRows: optional(count('The rows that were left out, because their MID or net amount was rejected.')),
  problemCount: optional(count('The number of all problems.')),
  total: optional(micros('The sum of the net amounts of all rows.')),
  statedTotal: optional(micros('The total that the file states.')),
  difference: optional(
    micros('The total that the file states, minus the sum of its rows. Absent if the file states none.', 0),
  ),
};

const listedFields = {
  ...recordFields,
  processor: processorName('The processor that sent the file.'),
  month: residualMonth('The month of the residuals.'),
  ...described,
  state: oneOf(fileStates, {
    description:
      '`waiting`: the file is not uploaded, or needs a format. `failed`: no row counts; `error` is the reason.',
  }),
  error: optional(
    string({ description: 'Why the file was not read.', examples: ['The file has a password. Remove it.'] }),
  ),
  formatId: optional(recordId({ description: 'The format with which the file was read.' })),
  formatVersion: optional(integer({ minimum: 1, description: 'The version of the format.', examples: [1] })),
  ...readFields,
};

/** A file in lists. */
export const ListedResidualFile = object(listedFields);
export type ListedResidualFile = Static<typeof ListedResidualFile>;

export const ResidualFile = object({
  ...listedFields,
  problems: optional(array(ResidualFileProblem, { description: `At most ${mostShown} of them.` })),
  unknownMids: optional(
    object(someMids.properties, { description: 'The MIDs of the file that no merchant has.' }),
  ),
  repeatedMids: optional(
    object(someMids.properties, {
      description: 'The MIDs with several rows, which is normal if there is a row for each card type.',
    }),
  ),
  suggestion: optional(
    object(ResidualFormatInput.properties, {
      description:
        'A format for this file. Check it, create it with POST /residual-formats, and read the file with it.',
    }),
  ),
});
export type ResidualFile = Static<typeof ResidualFile>;

export const NewResidualFile = object({
  ...ResidualFile.properties,
  upload: optional(
    object(Upload.properties, {
      description: 'Absent if the latest file of the processor and month has the same content and format.',
    }),
  ),
});

/** The row of a file in responses. */
export const ListedResidualRow = object({
  id: integer({ minimum: 1, description: 'The place in the file.', examples: [2] }),
  sheet: optional(string({ examples: ['Residuals'] })),
  sheetRow: optional(integer({ minimum: 1, description: 'The row number in the sheet.', examples: [2] })),
  mid: string({ examples: ['4445012345678'] }),
  dba: optional(string({ examples: ['Harbor Street Coffee'] })),
  count: optional(integer({ description: 'The number of transactions.', examples: [120] })),
  volume: optional(micros('The sales volume.', 10_000_000_000)),
  income: optional(micros('The income from the merchant.')),
  expense: optional(micros('The costs of the merchant.')),
  net: micros('The residual of the row.'),
  fees: optional(mapOf(micros('The amount of the fee.'), { examples: [{ 'Monthly fee': 9_950_000 }] })),
});
export type ListedResidualRow = Static<typeof ListedResidualRow>;
