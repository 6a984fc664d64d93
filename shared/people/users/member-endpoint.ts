import type { ByPermission, ContractTerms, Emission } from '../../endpoints/contract.ts';
import { endpoint, type Request } from '../../endpoints/endpoint.ts';
import type { Effects } from '../../events/envelope.ts';
import type { TSchema } from '../../schema.ts';
import type { Roles } from '../roles/schema.ts';
import { roles } from '../roles/store.ts';
import { requireMember } from './find-member.ts';
import { User, UserParams } from './schema.ts';
import { type Member, showUser } from './show-user.ts';

type MemberContract<B extends TSchema> = Omit<ContractTerms, 'params' | 'query' | 'body' | 'response'> &
  ByPermission &
  Emission & { body?: B };

interface MemberChange extends Effects {
  member?: Member;
}

/** Declares an endpoint for the member in `{email}`. The response is the changed user, or the user before a removal. */
export const memberEndpoint = <B extends TSchema>(
  contract: MemberContract<B>,
  change?: (
    request: Request<{ params: typeof UserParams; body: B }>,
    member: Member,
    all: Roles,
  ) => Promise<MemberChange>,
) =>
  endpoint({
    ...contract,
    params: UserParams,
    response: User,
    rights: [contract.method === 'GET' ? 'emails:find' : 'sign-ins:keep'],
    read: ({ account, params }) => Promise.all([requireMember(account, params.email), roles.all(account)]),
    decide: async (request, [before, all]) => {
      const { member = before, ...changes } = (await change?.(request, before, all)) ?? {
        writes: [],
        events: [],
      };
      const { accountRecord, principal } = request;
      return { response: await showUser(member, all, accountRecord, principal), ...changes };
    },
  });
