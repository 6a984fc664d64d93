import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { ticketCategories } from '../ticket-types/schema.ts';

/** So many mappings an account may have. */
export const mostMappings = 500;

const partnerCategoryId = integer({
  examples: [31],
  description: 'The category at the partner: of each the account has one mapping.',
});
const partnerCategoryName = string({ minLength: 1, maxLength: 200, examples: ['Hardware'] });
const serviceTicketTypeId = uniqueId('tty', { description: 'The ticket type that it maps to.' });
const categoryDescription = 'Left out in a request: the category of the ticket type.';
const serviceCategoryEnum = oneOf(ticketCategories, { description: categoryDescription });

/** What a mapping shows of its ticket type. */
const MappedTicketType = object({
  uniqueId: uniqueId('tty'),
  name: string({ examples: ['Terminal fault'] }),
  description: string({ examples: ['A terminal that does not take cards'] }),
  category: oneOf(ticketCategories),
  isActive: boolean(),
});

/** Which ticket type a partner's category maps to. Interface, "Ticket type mapping". */
export const TicketTypeMapping = object({
  ...recordFields,
  partnerCategoryId,
  partnerCategoryName: optional(partnerCategoryName),
  serviceTicketTypeId,
  serviceCategoryEnum,
  ticketType: nullable(MappedTicketType),
});
export type TicketTypeMapping = Static<typeof TicketTypeMapping>;

/** A mapping as it is stored: the type is read when it is shown. */
export type StoredMapping = Omit<TicketTypeMapping, 'ticketType'>;

/** The body that makes a mapping, and the one that replaces it whole. */
export const TicketTypeMappingInput = object({
  partnerCategoryId,
  partnerCategoryName: optional(nullable(partnerCategoryName)),
  serviceTicketTypeId,
  serviceCategoryEnum: optional(serviceCategoryEnum),
});
export type TicketTypeMappingInput = Static<typeof TicketTypeMappingInput>;

/** All mappings of an account. Interface, "GET /integrations/partner/ticket-type-mappings". */
export const TicketTypeMappings = object({
  data: array(TicketTypeMapping),
  totalCount: integer({ examples: [1] }),
});
