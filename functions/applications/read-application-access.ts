import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default accessEndpoint({
  type: 'application',
  path: '/applications/{applicationId}',
  params: ApplicationParams,
  get: (account, { applicationId }) => applications.get(account, applicationId),
  idIn: ({ applicationId }) => applicationId,
});
