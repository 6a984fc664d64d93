import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import {
  accountId,
  dateTime,
  integer,
  object,
  optional,
  recordId,
  type Static,
  string,
  type TObject,
} from '../schema.ts';
import type { RecordId } from './keys.ts';
import type { Authored } from './revise.ts';

/** Fields that the service sets on every record. Request bodies do not set them. */
export const recordFields = {
  id: recordId({ readOnly: true }),
  accountId: accountId({ readOnly: true }),
  version: integer({
    readOnly: true,
    description: 'Increases by 1 with every change. It is also the ETag.',
    examples: [1],
  }),
  createdAt: dateTime({ readOnly: true }),
  createdBy: optional(
    string({
      readOnly: true,
      description: 'The email of the user, or the API key.',
      examples: ['grace@example.com'],
    }),
  ),
  updatedAt: dateTime({ readOnly: true }),
  updatedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
};

/** The type of `recordFields` in stored records. */
export type RecordFields = Static<TObject<typeof recordFields>>;

/** The path of a record: `/teams/{id}`. */
export const RecordParams = object({ id: recordId() });

/** Returns the `recordFields` of a new record. By default, generates an id. */
export const newRecord = (request: Authored & { account: AccountId }, id = mintId(request.now)) => ({
  id,
  ...newStamps(request),
});

/** Returns the fields of `newRecord` without the id. */
export const newStamps = ({ account, principal, now }: Authored & { account: AccountId }) => ({
  accountId: account,
  version: 1,
  createdAt: now.toISOString(),
  createdBy: principal.actor.user,
  updatedAt: now.toISOString(),
});

/** The fields that every changeable record has. */
export interface Versioned {
  /** A string if clients may choose the id, otherwise a number. */
  id: RecordId;
  accountId: AccountId;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** A generated number that orders the record in lists. Set only if the id is a string. Never part of a response. */
  listId?: number;
}
