import { dateTime, integer, object, optional, recordId, string } from '../schema.ts';

/** Fields that the service sets on every record; no request body has them. */
export const recordFields = {
  id: recordId({ readOnly: true }),
  accountId: string({ readOnly: true, examples: ['acme'] }),
  version: integer({
    readOnly: true,
    description: 'One higher with every change; also the ETag.',
    examples: [1],
  }),
  createdAt: dateTime({ readOnly: true }),
  createdBy: optional(
    string({
      readOnly: true,
      description: 'Email of the user, or the API key.',
      examples: ['grace@example.com'],
    }),
  ),
  updatedAt: dateTime({ readOnly: true }),
  updatedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
};

/** The path of a record: `/teams/{id}`. */
export const RecordParams = object({ id: recordId() });

interface Origin {
  id: number;
  account: string;
  by: string;
  now: Date;
}

/** The service's fields on a record that is new. */
export const newRecord = ({ id, account, by, now }: Origin) => ({
  id,
  accountId: account,
  version: 1,
  createdAt: now.toISOString(),
  createdBy: by,
  updatedAt: now.toISOString(),
});
