import type { FastifyReply } from 'fastify';
import { actorText } from '../../../shared/events/actor-text.ts';
import type { Event } from '../../../shared/events/envelope.ts';
import { findEvent } from '../../../shared/events/find-event.ts';
import { asAccountId } from '../../../shared/id/account-id.ts';
import { asRecordId } from '../../../shared/id/mint.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import { kindText } from './kind-text.ts';
import type { Recorder } from './recorder.ts';
import { redacted } from './redact.ts';

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
    app.get<{ Params: EventParams }>('/events/:accountId/:id', async ({ params }, reply) => {
      const event = await eventIn(params);
      if (!event) return notFound(reply);
      const { accountId, id, occurredAt, actor, subject, data, request } = event;
      const recorded = recorder.event(accountId, id);
      return {
        ...{
          id,
          accountId,
          kind: kindText(event),
          label: subject.label,
          occurredAt,
          actor: actorText(actor),
        },
        ...{ subject, data: redacted(data), cause: `${request.method} ${request.path}` },
        ...{ request: recorded?.request, steps: recorded?.steps ?? [] },
      };
    });
    app.get<{ Params: EventParams }>('/events/:accountId/:id/effects', async ({ params }, reply) => {
      const event = await eventIn(params);
      if (!event) return notFound(reply);
      // See home.ts for the reason for this import.
      const { eventEffects } = await import('./event-effects.ts');
      return eventEffects(event, recorder.message, new Date());
    });
  };

async function eventIn({ accountId, id: given }: EventParams): Promise<Event | undefined> {
  const [account, id] = [asAccountId(accountId), asRecordId(given)];
  return account && id !== undefined ? findEvent(account, id, new Date()) : undefined;
}

const notFound = (reply: FastifyReply) =>
  reply.code(404).send({ message: 'The event log has no such event.' });
