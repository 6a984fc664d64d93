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

/** Fields that the service sets on every record; no request body has them. */
export const recordFields = {
  id: recordId({ readOnly: true }),
  accountId: accountId({ readOnly: true }),
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

/** The same as the table holds them. */
export type RecordFields = Static<TObject<typeof recordFields>>;

/** The path of a record: `/teams/{id}`. */
export const RecordParams = object({ id: recordId() });

/** The service's fields on a record that is new, under an id of its own unless it shares one. */
export const newRecord = (request: Authored & { account: AccountId }, id = mintId(request.now)) => ({
  id,
  ...newStamps(request),
});

/** The same without the id: whose it is, who made it and when. */
export const newStamps = ({ account, principal, now }: Authored & { account: AccountId }) => ({
  accountId: account,
  version: 1,
  createdAt: now.toISOString(),
  createdBy: principal.actor.user,
  updatedAt: now.toISOString(),
});

/** What every record that can be changed carries. */
export interface Versioned {
  /** Text where a client may choose it. */
  id: RecordId;
  accountId: AccountId;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** Where the id is text: the number by which lists order the record, minted with it and never shown. */
  listId?: number;
}
