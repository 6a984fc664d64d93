import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { notFound } from '../../shared/errors.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { unlinkIdentity } from '../../shared/single-sign-on/unlink-identity.ts';

export default endpoint({
  method: 'DELETE',
  path: '/users/{email}/identity',
  administratorOnly: true,
  proof: 'factors',
  repairsSignOn: true,
  rights: ['emails:find'],
  params: UserParams,
  response: Message,
  errors: ['not_found'],
  happenings: ['sso_identity_unlinked'],
  summary: 'Remove the link of a member to a user of the identity provider',
  description:
    'For a user that was created again at the provider. Ends the sessions by single sign-on of the member. The next sign-in with the member’s verified address links the member again.',
  read: ({ account, params }) => requireMember(account, params.email),
  decide: async (request, { membership }) => {
    if (!membership.identity) throw notFound('identity of', membership.email);
    const { writes, events } = await unlinkIdentity(membership, membership.identity, request);
    return { response: { message: 'The link is removed and its sessions have ended.' }, writes, events };
  },
});
