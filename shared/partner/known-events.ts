import type { PartnerEventData } from './event-schema.ts';

/** The required fields of each known type. Events of other types are accepted and ignored. */
export const requiredFields = {
  'application.status': ['applicationId', 'sequence', 'status'],
  'application.note': ['applicationId', 'text'],
  'documents.received': ['applicationId', 'documents'],
  'ticket.created': [
    ...(['ticketId', 'subject', 'description', 'categoryId'] as const),
    ...(['requesterName', 'requesterEmail'] as const),
  ],
  'ticket.comment': ['ticketId', 'commentId', 'body'],
} as const satisfies Record<string, readonly (keyof PartnerEventData)[]>;
export type PartnerEventType = keyof typeof requiredFields;

export const isKnownType = (type: string): type is PartnerEventType => Object.hasOwn(requiredFields, type);

/** The content of a work item: an event of the partner. */
export interface PartnerEventContent {
  type: string;
  /** Absent if the type is unknown. */
  data?: PartnerEventData;
}

/** The defined fields of events. Other fields are not stored, because they have no limits. */
const definedFields = [
  ...(['applicationId', 'sequence', 'status', 'message', 'mids', 'text', 'documents'] as const),
  ...(['ticketId', 'subject', 'description', 'categoryId', 'categoryName', 'priority'] as const),
  ...(['requesterName', 'requesterEmail', 'commentId', 'body', 'author'] as const),
] satisfies (keyof PartnerEventData)[];

/** Returns the defined fields of an event. */
export const definedFieldsOf = (data: PartnerEventData): PartnerEventData =>
  Object.fromEntries(definedFields.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
