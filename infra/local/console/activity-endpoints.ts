import { findEvent } from '../../../shared/events/find-event.ts';
import { asAccountId } from '../../../shared/id/account-id.ts';
import { asRecordId } from '../../../shared/id/mint.ts';
import { explain } from '../../../shared/messaging/notification-explanations/explain.ts';
import { readAllMembers, users } from '../../../shared/people/users/store.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { Recorder } from './recorder.ts';

/** The maximum number of members for which the recipients of an event are explained. */
const mostMembers = 100;

interface EventParams {
  accountId: string;
  id: string;
}

/** The endpoints of the screen Activity. */
export const activityEndpoints =
  (recorder: Recorder): AddEndpoints =>
  (app) => {
    app.get('/activity', () => ({ requests: recorder.requests(), otherEvents: recorder.otherEvents() }));
    app.get<{ Params: { id: string } }>('/requests/:id', ({ params }, reply) => {
      const found = recorder.request(Number(params.id));
      return found ?? reply.code(404).send({ message: 'This request is no longer recorded.' });
    });
    app.get<{ Params: EventParams }>('/events/:accountId/:id', ({ params }, reply) => {
      const found = recorder.event(params.accountId, Number(params.id));
      return found ?? reply.code(404).send({ message: 'This event is no longer recorded.' });
    });
    app.get<{ Params: EventParams }>('/events/:accountId/:id/recipients', async ({ params }, reply) => {
      const [account, id, now] = [asAccountId(params.accountId), asRecordId(params.id), new Date()];
      const event = account && id !== undefined && (await findEvent(account, id, now));
      if (!account || !event) return reply.code(404).send({ message: 'The event log has no such event.' });
      const members = (await readAllMembers(account)).slice(0, mostMembers);
      return Promise.all(
        members.map(async ({ email }) => {
          const address = await users.addressByEmailAcrossAccounts(email);
          const user = address && (await users.find(address));
          return { email, ...(user && { explanation: await explain(event, user, now) }) };
        }),
      );
    });
  };
