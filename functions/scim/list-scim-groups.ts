import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readAllMembers } from '../../shared/people/users/store.ts';
import { fitsOnPage, membersOfGroup, showScimGroup } from '../../shared/provisioning/change-groups.ts';
import { isMatch } from '../../shared/provisioning/find-users.ts';
import { ScimGroups, ScimListQuery } from '../../shared/provisioning/schema.ts';
import { readFilter, scimBase, scimTerms, showScimPage } from '../../shared/provisioning/scim-endpoint.ts';
import { readGroups } from '../../shared/provisioning/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/Groups',
  query: ScimListQuery,
  response: ScimGroups,
  errors: ['scim_filter_invalid'],
  readsMany: true,
  summary: 'Find groups with SCIM',
  description: 'A page ends early if its groups have many members.',
  read: async ({ account, query }) => {
    const filter = readFilter(query);
    const [members, { groups }] = await inParallel([readAllMembers(account), readGroups(account)]);
    return { filter, groups: groups.map((group) => ({ group, members: membersOfGroup(group, members) })) };
  },
  decide: ({ query, headers }, { filter, groups }) => {
    const show = ({ group, members }: (typeof groups)[number]) =>
      showScimGroup(group, members, scimBase(headers));
    const found = groups.filter((one) => isMatch(filter, show(one)));
    return { response: showScimPage(found, query, show, fitsOnPage) };
  },
});
