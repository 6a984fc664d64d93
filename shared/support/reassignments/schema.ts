import type { Actor } from '../../events/envelope.ts';
import { User } from '../../people/users/schema.ts';
import type { ReachedType } from '../../resources/registry.ts';
import {
  array,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { JobContent } from '../../work-queue/jobs.ts';

/** The types of records that have an owner and no view of the records of an owner. */
export const ownedTypes = ['application', 'merchant'] as const satisfies readonly ReachedType[];
export type OwnedType = (typeof ownedTypes)[number];

export const reassignedTypes = ['lead', 'ticket', ...ownedTypes] as const satisfies readonly ReachedType[];
export type ReassignedType = (typeof reassignedTypes)[number];

const user = (description: string) => string({ description, examples: ['214563398120449'] });

const ReassignTo = string({
  minLength: 1,
  maxLength: 254,
  description: 'The id or email of an active user, `rotation`, or `none`.',
  examples: ['none'],
});

export const ReassignQuery = object({
  reassignTo: optional(
    string({
      minLength: 1,
      maxLength: 254,
      description:
        'Reassigns the leads, open tickets, applications and merchants of the user in the background, as POST /reassignments does: to the active user with this id or email, by `rotation`, or to `none`. Requires writeLeads and writeTickets. If omitted, they keep their assignee or owner.',
      examples: ['rotation'],
    }),
  ),
});

export const ReassignmentInput = object({
  from: string({
    minLength: 1,
    maxLength: 254,
    description:
      'The id or email of a user who is not active, or the id of a user who left the account or was removed.',
    examples: ['214563398120449'],
  }),
  to: ReassignTo,
});

const count = integer({ minimum: 0, examples: [12] });
const countOfOwned = integer({
  minimum: 0,
  maximum: 1000,
  description:
    'The number of records that the user owns. A larger number is shown as 1000. A change can take a second to be counted.',
  examples: [12],
});

/** The fields are absent if the caller may not read these records. */
const AssignedRecords = object(
  {
    leads: optional(count),
    openTickets: optional(count),
    applications: optional(countOfOwned),
    merchants: optional(countOfOwned),
    leadRotations: optional(count),
    ticketRotations: optional(count),
  },
  {
    description:
      'The numbers of records that name the user, without records that the caller may not read. Rotations keep the user as a member, and skip the user. Records keep the user as a participant, and applications as the underwriter.',
  },
);
export type AssignedRecords = Static<typeof AssignedRecords>;

const Progress = object({
  total: integer({
    minimum: 0,
    description: 'The number when the reassignment was requested.',
    examples: [12],
  }),
  remaining: integer({ minimum: 0, description: 'The number that the user has now.', examples: [5] }),
});

const ProgressOfOwned = object({
  total: countOfOwned,
  remaining: countOfOwned,
});

/** Why a reassignment failed. */
const reassignmentErrors = ['user_unknown', 'incomplete'] as const;

export const ReassignmentJob = object({
  id: recordId(),
  from: user('The id of the user whose records are reassigned.'),
  to: string({ description: 'The id of a user, `rotation`, or `none`.', examples: ['rotation'] }),
  types: array(oneOf(reassignedTypes), {
    description:
      'The types of the records that are reassigned. Applications and merchants are included if the caller has writeApplications or writeMerchants.',
    examples: [reassignedTypes],
  }),
  status: oneOf(['running', 'completed', 'cancelled', 'failed'], {
    description: 'cancelled: the user in `from` became active again.',
  }),
  error: optional(
    oneOf(reassignmentErrors, {
      description:
        'user_unknown: the user in `to` is no longer active. incomplete: some records could not be changed.',
    }),
  ),
  createdAt: dateTime(),
  createdBy: string({ examples: ['grace@example.com'] }),
  leads: optional(Progress),
  openTickets: optional(Progress),
  applications: optional(ProgressOfOwned),
  merchants: optional(ProgressOfOwned),
});
export type ReassignmentJob = Static<typeof ReassignmentJob>;

const departureFields = { assigned: AssignedRecords, reassignment: optional(ReassignmentJob) };
export const RemovedUser = object({ ...User.properties, ...departureFields });
export const UpdatedUser = object({
  ...User.properties,
  assigned: optional(AssignedRecords),
  reassignment: optional(ReassignmentJob),
});
export const LeftAccount = object({ ...User.properties.accounts.items.properties, ...departureFields });

/** The content of the job in its work queue. Each step continues at `place` and `before`. */
export interface ReassignmentContent extends JobContent {
  job: 'reassign_records';
  id: number;
  from: string;
  to: string;
  actor: Actor;
  /** The types of the records that are reassigned. Absent in older jobs, which reassign leads and tickets. */
  types?: ReassignedType[];
  /** The totals when the reassignment was requested. */
  totals: Pick<AssignedRecords, 'applications' | 'merchants'> & { leads: number; openTickets: number };
  /** The index of the list to continue with: leads, the tickets of each open status, applications, merchants, events. */
  place: number;
  /** The position in this list; see `Bounds`. */
  before: string;
  /** The lists are read again if records remain, because indexes are eventually consistent. The first pass is 1. */
  pass: number;
  /** True if a record could not be changed in this pass. */
  hasFailed?: boolean;
}
