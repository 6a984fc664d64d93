import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { showProvisioning } from '../../shared/provisioning/save-settings.ts';
import { Provisioning } from '../../shared/provisioning/schema.ts';
import { readGroups } from '../../shared/provisioning/store.ts';

export default endpoint({
  method: 'GET',
  path: '/provisioning',
  administratorOnly: true,
  response: Provisioning,
  summary: 'Read which role or team each group of the identity provider is',
  read: ({ account }) => readGroups(account),
  decide: (_, found) => ({ response: showProvisioning(found) }),
});
