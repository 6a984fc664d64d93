import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { confirmFactor } from '../../shared/people/factors/change-factors.ts';
import { AppCode, ConfirmedFactor, FactorParams } from '../../shared/people/factors/schema.ts';
import { keepSession } from '../../shared/people/sessions/store.ts';
import { object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/factors/{factorId}/confirm',
  access: 'session',
  sessionOnly: true,
  factorSecrets: 'read',
  params: FactorParams,
  body: object({ code: AppCode }),
  response: ConfirmedFactor,
  oneTime: ['recoveryCodes'],
  errors: ['users_only', 'mailbox_not_proved', 'code_wrong'],
  emits: ['no_event_name'],
  happenings: ['factor_added'],
  noDryRun: 'A dry run would show recovery codes that are not stored.',
  summary: 'Confirm a second factor with its first code',
  description:
    'From now on, a login needs the factor. The first factor ends every other session, and the response contains ten ' +
    'recovery codes.',
  decide: async (request) => {
    const { response, writes, events, epoch } = await confirmFactor(request);
    return {
      response,
      writes: [...writes, ...keepSession(request.principal, epoch.from, epoch.to, 'totp')],
      events,
    };
  },
});
