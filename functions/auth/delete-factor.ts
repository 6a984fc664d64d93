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
  proof: 'factors',
  params: FactorParams,
  response: Message,
  rights: ['passkeys:hold'],
  errors: ['users_only', 'factor_required', 'passkey_required'],
  happenings: ['factor_removed'],
  summary: 'Remove one of the caller’s second factors',
  description:
    'Every other session ends. With the last factor, the recovery codes are removed, and a login needs only the password. ' +
    'A user with a passkey needs a session that has proved a passkey or a recovery code.',
  decide: async (request) => {
    const { response, writes, events, session } = await removeFactor(request);
    const kept = session ? keepSession(request.principal, session) : [];
    return { response, writes: [...writes, ...kept], events };
  },
});
