import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { partnerActor } from '../../shared/partner/change-application.ts';
import { PartnerEvent, PartnerEventsParams } from '../../shared/partner/event-schema.ts';
import {
  authenticateEvent,
  checkPartnerEvent,
  isDuplicate,
  storeEvent,
} from '../../shared/partner/receive-event.ts';

export default endpoint({
  method: 'POST',
  path: '/integrations/partner/{accountId}/events',
  access: 'public',
  signedBody: authenticateEvent,
  params: PartnerEventsParams,
  body: PartnerEvent,
  response: Message,
  success: 'accepted',
  errors: ['not_authenticated', 'account_closed'],
  emits: ['partner_webhook_received'],
  noDryRun: 'Only the partner sends these requests.',
  summary: 'Receive an event of the partner',
  description:
    'For the partner, as in Partner contract v1. The request is signed with the secret of the connection (Standard Webhooks), at most five minutes ago. An event is stored before the response and applied afterwards. An id that was accepted in the last seven days has no further effect.',
  decide: async ({ params, body, headers, rawBody, now, deadline }) => {
    const { account, id } = await authenticateEvent({
      account: params.accountId,
      headers,
      rawBody,
      now,
      deadline,
    });
    checkPartnerEvent(body);
    const response = { message: 'The event is stored.' };
    if (await isDuplicate(account, id, now)) return { response, writes: [], events: [] };
    return {
      response,
      writes: storeEvent(account, id, body, now),
      events: [
        {
          kind: 'partner_webhook_received',
          account,
          actor: partnerActor,
          subject: { type: 'account', id: account },
          data: { messageId: id, type: body.type },
        },
      ],
    };
  },
});
