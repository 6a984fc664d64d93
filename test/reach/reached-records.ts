import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import readApplicationAccess from '../../functions/applications/read-application-access.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import setApplicationParticipants from '../../functions/applications/set-application-participants.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import readLeadAccess from '../../functions/leads/read-lead-access.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import readMerchantAccess from '../../functions/merchants/read-merchant-access.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import setMerchantParticipants from '../../functions/merchants/set-merchant-participants.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketAccess from '../../functions/tickets/read-ticket-access.ts';
import setTicketParticipants from '../../functions/tickets/set-ticket-participants.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { RecordAccess } from '../../shared/people/record-access/schema.ts';
import type { CountedType } from '../../shared/people/users/count-reach.ts';
import type { Client } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

/** The owner and the team of a record. Null: none. Absent: not changed. */
export interface Holding {
  owner?: string | null;
  teamId?: number | null;
}

/** A record of one of the four types, with the requests that are the same for all of them. */
export interface ReachedRecord {
  id: number | string;
  access(by: Client): Promise<RecordAccess>;
  /** The other requests return their responses, including errors. */
  read(by: Client): Promise<{ status: number }>;
  change(by: Client): Promise<{ status: number }>;
  give(by: Client, to: Holding): Promise<{ status: number }>;
  share(by: Client, participants: string[]): Promise<{ status: number }>;
}

/** Creates a record, which has no owner and no team unless `give` sets them. */
export const newRecords: Readonly<Record<CountedType, (by: Client) => Promise<ReachedRecord>>> = {
  async lead(creator) {
    const { id } = await creator.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Ada', lastName: 'Byron' },
    });
    const params = { leadId: id };
    const update = (by: Client, body: { teamId?: number | null }) => by.call(updateLead, { params, body });
    return {
      id,
      access: (by) => by.ok(readLeadAccess, { params }),
      read: (by) => by.call(readLead, { params }),
      change: (by) => update(by, {}),
      async give(by, { owner, teamId }) {
        // A user who gives a lead away may not change its team afterwards.
        const moved = await update(by, { teamId });
        if (owner === undefined || moved.status !== 200) return moved;
        return by.call(assignLead, { params, body: { assignedTo: owner } });
      },
      share: (by, participants) => by.call(setLeadParticipants, { params, body: { participants } }),
    };
  },
  async application(creator) {
    const { id } = await creator.ok(createApplication, { body: {} });
    const params = { applicationId: id };
    const give: ReachedRecord['give'] = (by, { owner, teamId }) =>
      by.call(setApplicationOwner, { params, body: { ownerId: owner, teamId } });
    await give(creator, { owner: null, teamId: null });
    return {
      ...{ id, give },
      access: (by) => by.ok(readApplicationAccess, { params }),
      read: (by) => by.call(readApplication, { params }),
      change: (by) => by.call(updateApplication, { params, body: {} }),
      share: (by, participants) => by.call(setApplicationParticipants, { params, body: { participants } }),
    };
  },
  async merchant(creator) {
    const { id } = await creator.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
    const params = { merchantId: id };
    const give: ReachedRecord['give'] = (by, { owner, teamId }) =>
      by.call(setMerchantOwner, { params, body: { ownerId: owner, teamId } });
    await give(creator, { owner: null, teamId: null });
    return {
      ...{ id, give },
      access: (by) => by.ok(readMerchantAccess, { params }),
      read: (by) => by.call(readMerchant, { params }),
      change: (by) => by.call(updateMerchant, { params, body: {} }),
      share: (by, participants) => by.call(setMerchantParticipants, { params, body: { participants } }),
    };
  },
  async ticket(creator) {
    const { id } = await newTicketOf(creator);
    const params = { ticketId: String(id) };
    return {
      id,
      access: (by) => by.ok(readTicketAccess, { params }),
      read: (by) => by.call(readTicket, { params }),
      change: (by) => by.call(updateTicket, { params, body: {} }),
      give: (by, { owner, teamId }) =>
        by.call(updateTicket, { params, body: { assignedTo: owner, assignedTeamId: teamId } }),
      share: (by, participants) => by.call(setTicketParticipants, { params, body: { participants } }),
    };
  },
};
