import { notFound } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { byName, subjectOf } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asUniqueRecordId, uniqueIdOf } from '../../id/unique-id.ts';
import type { ListSource } from '../../table/list-source.ts';
import { recordStore } from '../../table/record-store.ts';
import type { StoredTicketType, TicketType } from './schema.ts';

const records = recordStore<StoredTicketType, 'ticket_type'>({
  resource: 'ticket_type',
  idFrom: (text) => asUniqueRecordId('tty', text),
});

export const ticketTypes = {
  ...records,

  describe: byName,
  show: showTicketType,
  forEvents: ({ formerFields, ...type }: StoredTicketType): Omit<StoredTicketType, 'formerFields'> => type,

  listOf: (account: AccountId): ListSource<TicketType, StoredTicketType> => ({
    ...records.listOf(account),
    show: async (page) => page.map(showTicketType),
  }),

  /** Returns the type with this `uniqueId` or id. Throws `not_found`. */
  async getByReference(account: AccountId, reference: string): Promise<StoredTicketType> {
    const type = await ticketTypes.findByReference(account, reference);
    if (!type) throw notFound('ticket_type', reference);
    return type;
  },
};

function showTicketType({ formerFields, ...type }: StoredTicketType): TicketType {
  return { ...type, uniqueId: uniqueIdOf('tty', type.id) };
}

export function ticketTypeStatusChanged(before: StoredTicketType, after: StoredTicketType): EventDraft[] {
  if (before === after) return [];
  const data = { from: before.isActive, to: after.isActive };
  return [{ kind: 'ticket_type_status_changed', subject: subjectOf(ticketTypes, after), data }];
}
