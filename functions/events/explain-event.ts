import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireShownEvent, subjectsWithReach } from '../../shared/endpoints/parent-records.ts';
import { getEvent } from '../../shared/events/find-event.ts';
import {
  explain,
  NotificationExplanation,
  NotificationExplanationQuery,
} from '../../shared/messaging/notification-explanations/explain.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { users } from '../../shared/people/users/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/events/{id}/explain',
  administratorOnly: 'readEvents',
  orSelf: 'query',
  reach: subjectsWithReach,
  rights: ['emails:find'],
  params: RecordParams,
  query: NotificationExplanationQuery,
  response: NotificationExplanation,
  summary: 'Explain why a user was or was not notified of an event',
  description:
    'Returns the rule that applies and the outcome of each channel. If no outcome was recorded for a channel, returns the decision that ' +
    'the current rules, membership and roles would give.',
  read: ({ account, params, query, now }) =>
    inParallel([
      getEvent(account, params.id, now),
      query.user === undefined ? undefined : requireMember(account, query.user),
    ]),
  async decide(request, [event, member]) {
    const { principal, now } = request;
    await requireShownEvent(request, event.id);
    const user = member?.user ?? (await users.self(principal));
    return { response: await explain(event, user, now) };
  },
});
