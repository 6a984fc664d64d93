import type { Turn } from '../../rotations/schema.ts';
import type { Clock } from '../../sla/clock.ts';
import type { RecordFields } from '../../table/record-fields.ts';
import type { howAssigned, unassignedReasons } from './assignment-schema.ts';
import type { Ticket } from './schema.ts';

/** How a ticket came to whoever has it, or to nobody. */
export interface Assignment {
  at: string;
  /** The actor whose request it was. */
  by: string;
  how: (typeof howAssigned)[number];
  /** The turn that was taken, whoever it fell on. */
  turn?: Turn;
  reason?: UnassignedReason;
}

export type UnassignedReason = (typeof unassignedReasons)[number];

/** What is shown of a ticket as it is stored; everything else follows from it. */
type StoredTicketFields = Pick<
  Ticket,
  | 'ticketNumber'
  | 'ticketTypeId'
  | 'subject'
  | 'description'
  | 'status'
  | 'priority'
  | 'category'
  | 'source'
  | 'requesterType'
  | 'requesterId'
  | 'requesterName'
  | 'requesterEmail'
  | 'requesterPhone'
  | 'assignedTo'
  | 'assignedTeamId'
  | 'merchantId'
  | 'merchantName'
  | 'leadId'
  | 'applicationId'
  | 'midId'
  | 'customFields'
  | 'tags'
  | 'metaData'
  | 'lastResponseAt'
  | 'lastCustomerResponseAt'
  | 'responseCount'
  | 'attachmentCount'
>;

/** A ticket as the table holds it. `status` and `priority` are those of its clock. */
export interface StoredTicket extends StoredTicketFields, RecordFields {
  internalNoteCount: number;
  /** Of all comments, whoever wrote them and whoever may read them. */
  commentCount: number;
  /** Is in no response, event or webhook. */
  clock: Clock;
  assignment: Assignment;
}

/** What lists read of a ticket: all but what may be large. Its long texts are cut. */
export type TicketSummary = Omit<StoredTicket, 'customFields' | 'metaData' | 'assignment'>;
