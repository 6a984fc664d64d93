import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { findCandidates, isMatch, showMemberOf } from '../../shared/provisioning/find-users.ts';
import { ScimListQuery, ScimUsers } from '../../shared/provisioning/schema.ts';
import { readFilter, scimBase, scimTerms, showScimPage } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/Users',
  query: ScimListQuery,
  response: ScimUsers,
  errors: ['scim_filter_invalid'],
  rights: ['emails:find'],
  readsMany: true,
  summary: 'Find users with SCIM',
  read: async ({ account, query }) => {
    const filter = readFilter(query);
    const [members, { groups }] = await inParallel([findCandidates(account, filter), readGroups(account)]);
    return { filter, members, groups };
  },
  decide: ({ query, headers }, { filter, members, groups }) => {
    const show = (member: (typeof members)[number]) => showMemberOf(member, groups, scimBase(headers));
    const found = filter ? members.filter((member) => isMatch(filter, show(member))) : members;
    return { response: showScimPage(found, query, show) };
  },
});
