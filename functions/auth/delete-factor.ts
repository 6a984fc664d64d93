import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { removeFactor } from '../../shared/people/factors/change-factors.ts';
import { FactorParams } from '../../shared/people/factors/schema.ts';
import { keepSession } from '../../shared/people/sessions/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/auth/factors/{factorId}',
  access: 'session',
  sessionOnly: true,
  params: FactorParams,
  response: Message,
  errors: ['users_only'],
  emits: ['no_event_name'],
  happenings: ['factor_removed'],
  summary: 'Remove one of the caller’s second factors',
  description:
    'With the last factor, the recovery codes are removed, every other session ends, and a login needs only the password.',
  decide: async (request) => {
    const { response, writes, events, epoch } = await removeFactor(request);
    const kept = epoch ? keepSession(request.principal, epoch.from, epoch.to, null) : [];
    return { response, writes: [...writes, ...kept], events };
  },
});
