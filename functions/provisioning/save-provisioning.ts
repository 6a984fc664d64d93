import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { saveSettings, showProvisioning } from '../../shared/provisioning/save-settings.ts';
import { Provisioning, ProvisioningInput } from '../../shared/provisioning/schema.ts';
import { readGroups } from '../../shared/provisioning/store.ts';

export default endpoint({
  method: 'PUT',
  path: '/provisioning',
  administratorOnly: true,
  proof: 'rights',
  body: ProvisioningInput,
  response: Provisioning,
  record: Provisioning,
  errors: ['role_unknown', 'team_unknown', 'user_unknown'],
  happenings: ['provisioning_updated'],
  rights: ['emails:find'],
  summary: 'Set which role or team each group of the identity provider is',
  description:
    'An API key with provisionUsers can give these roles and teams to users. The users keep them if a group is omitted.',
  read: ({ account }) => readGroups(account),
  decide: async (request, found) => {
    await request.checkReadOnly(() => showProvisioning(found));
    const { settings, ...changes } = await saveSettings(request.body, found, request);
    return { response: showProvisioning({ ...found, settings, groups: settings.groups }), ...changes };
  },
});
