import { reached } from '../../endpoints/reached.ts';
import type { OwnedRecords } from '../../people/ownership/owned-records.ts';
import { applicationResponse } from './application-response.ts';
import { applicationUpdated } from './events.ts';
import { Application, ApplicationParams } from './record/schema.ts';
import type { StoredApplication } from './record/stored-application.ts';
import { applications } from './store.ts';

/** The applications, for the endpoints that set owner, team and participants. */
export const ownedApplications: OwnedRecords<
  StoredApplication,
  typeof ApplicationParams,
  typeof Application
> = {
  type: 'application',
  path: '/applications/{applicationId}',
  params: ApplicationParams,
  response: Application,
  emits: 'application_updated',
  read: (input) => reached(input, 'application', applications.get(input.account, input.params.applicationId)),
  show: (application, request) => applicationResponse(application, { ...request, query: {} }),
  replace: (before, after) => applications.replace(before, after),
  updated: (before, after) => applicationUpdated(before, after),
};
