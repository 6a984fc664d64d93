import { endpoint } from '../../endpoints/endpoint.ts';
import { notFound } from '../../errors.ts';
import { roles } from '../../people/roles/store.ts';
import { requireMember } from '../../people/users/find-member.ts';
import { removeMember } from '../../people/users/remove-member.ts';
import { showUser } from '../../people/users/show-user.ts';
import type { Static, TSchema } from '../../schema.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { ReassignQuery, RemovedUser } from './schema.ts';
import { departureResult, readDeparture } from './start-reassignment.ts';

interface RemovalContract<P extends TSchema> {
  path: string;
  params: P;
  summary: string;
  description?: string;
}

/** Declares a DELETE that removes the member in `{email}` from the account. `{accountId}` must be this account. */
export const removalEndpoint = <P extends TSchema>({
  path,
  params,
  summary,
  description,
}: RemovalContract<P> & ([Static<P>] extends [{ email: string }] ? unknown : never)) =>
  endpoint({
    path,
    params,
    summary,
    description,
    method: 'DELETE',
    permission: 'writeUsers',
    query: ReassignQuery,
    response: RemovedUser,
    errors: ['own_membership', 'administrator_only', 'holds_more', 'user_unknown', 'permission_denied'],
    emits: ['user_removed_from_account', 'user_deleted'],
    rights: ['sign-ins:keep'],
    read: async ({ account, params, query }) => {
      const { email } = params as { email: string };
      const [member, all] = await inParallel([requireMember(account, email), roles.all(account)]);
      return { member, all, departure: await readDeparture(account, member.user.id, query.reassignTo) };
    },
    decide: async (request, { member, all, departure }) => {
      const { account, accountRecord, principal } = request;
      const { email, accountId = account } = request.params as { email: string; accountId?: string };
      if (accountId !== account) throw notFound('user', email);
      const user = await showUser(member, all, accountRecord, principal);
      const { writes, events } = await removeMember(member, all, request);
      const started = departureResult(departure, request);
      return { response: { ...user, ...started.fields }, writes: [...writes, ...started.writes], events };
    },
  });
