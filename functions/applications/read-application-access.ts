import { reached } from '../../shared/endpoints/reached.ts';
import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default accessEndpoint({
  type: 'application',
  path: '/applications/{applicationId}',
  params: ApplicationParams,
  read: (input, { applicationId }) =>
    reached(input, 'application', applications.get(input.account, applicationId)),
});
