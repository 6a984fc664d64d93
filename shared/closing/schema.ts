import { accountId, array, dateTime, integer, mapOf, object, oneOf, optional, string } from '../schema.ts';

export const CloseQuery = object({
  confirmName: string({
    maxLength: 200,
    description: 'The name of the account, as a confirmation. If the name is blank: its id.',
    examples: ['Harbor Street Coffee'],
  }),
});

/** The response of a deletion or a reopening. It contains no settings, because the caller may be a parent account. */
export const ClosedAccount = object({
  id: accountId(),
  name: string({ examples: ['Harbor Street Coffee'] }),
  closedAt: optional(dateTime({ description: 'Absent if the account is open.' })),
  erasesAt: optional(
    dateTime({ description: 'When the erasure begins. Until then, the account can be reopened.' }),
  ),
  version: integer({ examples: [2] }),
});

const ExportPart = object({
  size: integer({ description: 'In bytes.', examples: [8388608] }),
  url: string({
    'x-redacts': 'credential',
    description: 'A GET of this URL downloads the part. It needs no headers.',
    examples: ['https://bucket.s3.eu-central-1.amazonaws.com/exports/…'],
  }),
  expiresAt: dateTime({ description: 'When the URL expires. A new request returns a new URL.' }),
});

export const AccountExport = object({
  status: oneOf(['preparing', 'ready'], {
    description: 'While the export is `preparing`, retry after a minute.',
    examples: ['ready'],
  }),
  availableUntil: dateTime({ description: 'When the erasure of the account begins.' }),
  counts: optional(
    mapOf(integer(), {
      description: 'The number of records of each kind.',
      examples: [{ lead: 120, ticket: 7 }],
    }),
  ),
  sha256: optional(
    string({
      description:
        'The SHA-256, in hex, of the export without its last line. The last line contains the same value.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
  parts: array(ExportPart, {
    description: 'The parts of the export, in order. Concatenated, they are one file of JSON lines.',
  }),
});
