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

export const maxMappings = 500;

const partnerCategoryId = integer({
  examples: [31],
  description: 'Category id at the partner. Each category has at most one mapping per account.',
});
const partnerCategoryName = string({ minLength: 1, maxLength: 200, examples: ['Hardware'] });
const serviceTicketTypeId = uniqueId('tty', { description: 'Ticket type that the category maps to.' });
const categoryDescription = 'Default: the category of the ticket type.';
const serviceCategoryEnum = oneOf(ticketCategories, { description: categoryDescription });

const MappedTicketType = object(
  {
    uniqueId: uniqueId('tty'),
    name: string({ examples: ['Terminal fault'] }),
    description: string({ examples: ['A terminal that does not take cards'] }),
    category: oneOf(ticketCategories),
    isActive: boolean(),
  },
  { description: 'Null if the type was deleted, or if the caller lacks the permission `readTicketTypes`.' },
);

export const TicketTypeMapping = object({
  ...recordFields,
  partnerCategoryId,
  partnerCategoryName: optional(partnerCategoryName),
  serviceTicketTypeId,
  serviceCategoryEnum,
  ticketType: nullable(MappedTicketType),
});
export type TicketTypeMapping = Static<typeof TicketTypeMapping>;

export type StoredMapping = Omit<TicketTypeMapping, 'ticketType'>;

export const TicketTypeMappingInput = object({
  partnerCategoryId,
  partnerCategoryName: optional(nullable(partnerCategoryName)),
  serviceTicketTypeId,
  serviceCategoryEnum: optional(serviceCategoryEnum),
});
export type TicketTypeMappingInput = Static<typeof TicketTypeMappingInput>;

export const TicketTypeMappings = object({
  data: array(TicketTypeMapping),
  totalCount: integer({ examples: [1] }),
});
