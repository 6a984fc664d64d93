import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { removeFactor } from '../../shared/people/factors/change-factors.ts';
import { FactorParams } from '../../shared/people/factors/schema.ts';

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
  description: 'With the last factor, the recovery codes are removed, and a login needs only the password.',
  decide: removeFactor,
});
