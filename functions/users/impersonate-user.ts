import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { impersonate } from '../../shared/people/impersonation/impersonate.ts';
import { readOpenImpersonations } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { ImpersonationInput } from '../../shared/people/impersonation-records/schema.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { sessionOfUser } from '../../shared/people/sessions/show-session.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/users/{email}/impersonation',
  administratorOnly: true,
  proof: 'impersonation',
  rights: ['sign-ins:keep'],
  params: UserParams,
  body: ImpersonationInput,
  response: UserSession,
  success: 'created',
  oneTime: ['token'],
  errors: ['impersonation_forbidden', 'not_impersonable', 'quota_exceeded'],
  emits: ['user_impersonated'],
  noDryRun: 'A dry run would issue no token.',
  summary: 'Act as a user for 30 minutes',
  description:
    'Returns the token of a session as the user, in this account only. The user is informed by mail at once, with the ' +
    'reason. Sensitive values are REDACTED. The session cannot download files, or change passwords, keys, secrets, ' +
    'users, roles, teams, webhooks, underwriting rules or settings, and without `write` it changes nothing. Events and ' +
    'audit entries name both people. The session also ends with the session of the administrator.',
  read: async ({ account, params }) => {
    const [member, open] = await inParallel([
      requireMember(account, params.email),
      readOpenImpersonations(account),
    ]);
    return { member, open };
  },
  decide: async (request, { member, open }) => {
    const { token, impersonation, writes, events } = await impersonate(member, request.body, open, request);
    const { accountId: account, write, expiresAt, createdBy: by } = impersonation;
    const shown = { account, by: by ?? '', write, expiresAt };
    return { response: await sessionOfUser(member.user, token, { impersonation: shown }), writes, events };
  },
});
