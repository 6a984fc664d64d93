import type { Turn } from '../../rotations/schema.ts';
import type { Clock } from '../../sla/clock.ts';
import type { SlaFigures } from '../../sla/schema.ts';
import type { RecordFields } from '../../table/record-fields.ts';
import type { howAssigned, unassignedReasons } from './assignment-schema.ts';
import type { Ticket } from './schema.ts';

export interface Assignment {
  at: string;
  by: string;
  how: (typeof howAssigned)[number];
  /** The slot that was taken in a rotation, even if no member was eligible. */
  turn?: Turn;
  reason?: UnassignedReason;
}

export type UnassignedReason = (typeof unassignedReasons)[number];

/** A stored ticket. `status` and `priority` are copied from its clock. */
export interface StoredTicket
  extends Omit<Ticket, keyof RecordFields | keyof SlaFigures | 'uniqueId'>,
    RecordFields {
  internalNoteCount: number;
  commentCount: number;
  /** Never part of a response, event or webhook. */
  clock: Clock;
  assignment: Assignment;
}

/** The fields that lists read. Fields that can be large are omitted, and long texts are cut. */
export type TicketSummary = Omit<StoredTicket, 'customFields' | 'metaData' | 'assignment'>;
