import { array, email, object, oneOf, optional, recordId, type Static, string } from '../../schema.ts';
import { reachReasons } from '../../security/reach.ts';

const reasons = array(oneOf(['administrator', 'all', ...reachReasons]), {
  description:
    'Why there is access. Empty: no access. `all`: the permission for all records of this type. `underwriter`: the application is assigned to the user. `team`: the record’s team is the user’s team. `manager`: the user manages the record’s team or a team above it. `unassigned`: the record has no owner. `creator`: the API key created the record.',
});
const access = { read: reasons, change: reasons };

/** The users and API keys that may read or change a record, with the reasons. */
export const RecordAccess = object({
  users: array(
    object({
      id: recordId(),
      email: email(),
      name: optional(string({ examples: ['Grace Hopper'] })),
      ...access,
    }),
    {
      description: 'The active users who may read or change the record.',
    },
  ),
  apiKeys: optional(
    array(
      object({
        id: recordId(),
        apiKey: string({ examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'] }),
        description: string({ examples: ['Nightly import'] }),
        ...access,
      }),
      {
        description:
          'The API keys that may read or change the record. Absent if the caller lacks `readApiKeys`.',
      },
    ),
  ),
});
export type RecordAccess = Static<typeof RecordAccess>;
