import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import updateUser from '../../functions/users/update-user.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { newRotationOf, newTypeOf } from '../tickets/new-tickets.ts';
import { type Connected, connected } from './world.ts';

const category = 31;

/** A partner whose category 31 is mapped to a ticket type. */
async function mapped(): Promise<Connected & { type: string }> {
  const world = await connected({ silent: true });
  const { admin } = world.owner;
  const body = { name: 'Terminal fault', description: 'It takes no cards', category: 'technical' } as const;
  const { uniqueId: type } = await admin.ok(createTicketType, { body });
  await admin.ok(createTicketTypeMapping, {
    body: { partnerCategoryId: category, serviceTicketTypeId: type },
  });
  return { ...world, type };
}

const created = (ticketId: string, more: object = {}) => ({
  type: 'ticket.created',
  data: {
    ticketId,
    subject: 'The terminal is offline',
    description: 'It shows error 17.',
    categoryId: category,
    requesterName: 'Ada Byron',
    requesterEmail: 'ada@example.com',
    ...more,
  },
});
const commented = (ticketId: string, commentId: string) => ({
  type: 'ticket.comment',
  data: { ticketId, commentId, body: 'It works again.', author: 'Support of the partner' },
});
const ticketsOf = async ({ owner }: Pick<Connected, 'owner'>) => (await owner.admin.ok(listTickets)).data;
const errorsOf = async ({ owner: { accountId } }: Pick<Connected, 'owner'>) =>
  (await eventsAbout(accountId, accountId)).flatMap(({ kind, data }) =>
    kind === 'partner_integration_error' ? [(data as { reason: string }).reason] : [],
  );

describe('a support request of the partner', () => {
  test('becomes one ticket of the mapped type, also if it is sent again', async () => {
    const world = await mapped();
    await world.partner.deliverEvent(created('case#1'));
    await world.partner.deliverEvent(created('case#1'));
    await drain();
    const found = await ticketsOf(world);
    expect(found).toMatchObject([
      {
        subject: 'The terminal is offline',
        ticketTypeId: world.type,
        category: 'technical',
        source: 'api',
        requesterType: 'external',
        requesterName: 'Ada Byron',
        partnerTicketId: 'case#1',
      },
    ]);
  });

  test('exchanges comments with the staff, each exactly once, and internal comments stay here', async () => {
    const world = await mapped();
    const { owner, partner } = world;
    // The comment arrives before its ticket.
    await partner.deliverEvent(commented('case#2', 'c1'));
    await drain();
    await partner.deliverEvent(created('case#2'));
    await drain();
    const [ticket] = await ticketsOf(world);
    const params = { ticketId: ticket?.uniqueId ?? '' };
    await partner.deliverEvent(commented('case#2', 'c2'));
    await partner.deliverEvent(commented('case#2', 'c2'));
    await drain();
    const body = { body: 'Please restart it.' };
    await owner.admin.ok(createTicketComment, { params, body });
    await owner.admin.ok(createTicketComment, {
      params,
      body: { body: 'Looks broken.', visibility: 'internal' },
    });
    await drain();
    expect(partner.comments).toMatchObject([
      { ticketId: 'case#2', body: 'Please restart it.', author: owner.adminEmail },
    ]);
    const { data } = await owner.admin.ok(listTicketComments, { params });
    expect(data.filter(({ authorType }) => authorType === 'customer')).toMatchObject([
      { body: 'It works again.', author: 'Support of the partner' },
    ]);
    expect(await owner.admin.ok(readTicket, { params })).toMatchObject({ responseCount: 1 });
  });

  test.each(['of its type', 'with the id in its type'])(
    'is assigned by the rotation %s, and again if the partner comments on it after its assignee left',
    async (which) => {
      const { owner, partner } = await connected({ silent: true });
      const { admin } = owner;
      const [leaver, stays] = [(await member(owner)).user, (await member(owner)).user];
      const users = [leaver.id, stays.id];
      const { uniqueId: type } =
        which === 'of its type'
          ? await newTypeOf(admin, { autoAssignmentEnabled: true })
          : await newTypeOf(admin, {
              autoAssignmentEnabled: true,
              rotationId: (await newRotationOf(admin, users)).uniqueId,
            });
      if (which === 'of its type') await newRotationOf(admin, users, { ticketTypeId: type });
      await admin.ok(createTicketTypeMapping, {
        body: { partnerCategoryId: category, serviceTicketTypeId: type },
      });
      const assigned = async () => (await ticketsOf({ owner })).map(({ assignedTo }) => assignedTo);
      await partner.deliverEvent(created('case#9'));
      await drain();
      expect(await assigned()).toEqual([String(leaver.id)]);

      const [ticket] = await ticketsOf({ owner });
      const params = { ticketId: ticket?.uniqueId ?? '' };
      await admin.ok(updateTicket, { params, body: { status: 'resolved' } });
      await admin.ok(updateUser, { params: { email: leaver.email }, body: { active: false } });
      // The ticket keeps the former policy, which the consumer therefore reads.
      const slaTargets = { low: { firstResponse: 60, resolution: 5000 } };
      await admin.ok(updateAccount, { params: { id: owner.accountId }, body: { slaTargets } });
      await partner.deliverEvent(commented('case#9', 'c9'));
      await drain();
      expect(await assigned()).toEqual([String(stays.id)]);
      expect(await errorsOf({ owner })).toEqual([]);
    },
  );

  test('in an unmapped category gets the default type of the connection, or is reported as an error', async () => {
    const world = await mapped();
    const { owner, partner, type } = world;
    await partner.deliverEvent(created('case#3', { categoryId: 99 }));
    await drain();
    expect(await ticketsOf(world)).toEqual([]);
    expect(await errorsOf(world)).toEqual([
      "The partner's category 99 has no ticket type, and the connection has no default type.",
    ]);
    await owner.admin.ok(savePartnerConnection, {
      body: { url: partner.url, active: true, defaultTicketTypeId: type },
    });
    await partner.deliverEvent(created('case#3', { categoryId: 99 }));
    await drain();
    expect(await ticketsOf(world)).toMatchObject([{ ticketTypeId: type }]);
  });
});
