import type { RequestInput } from '../../../endpoints/endpoint.ts';
import { ApiError, notFound } from '../../../errors.ts';
import type { AccountId } from '../../../id/account-id.ts';
import type { AuditEntry } from '../../../integrity/audit/schema.ts';
import { inParallel } from '../../../table/in-parallel.ts';
import type { IdLookup } from '../../../table/record-store.ts';
import { applicationReadResponse, revealFor } from '../application-response.ts';
import type { ApplicationFile } from '../completeness/document-requirements.ts';
import { readFiles } from '../documents/read-files.ts';
import { checkClientId, parseApplicationId } from '../record/application-id.ts';
import type { Application, ApplicationReadQuery } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import { mayReadApplication } from '../show-application.ts';
import { applications, auditLogOf } from '../store.ts';
import {
  type ApplicationChangeRequest,
  type ChangedApplication,
  changeApplication,
  createOwnApplication,
} from './change-application.ts';

interface ChangeOrCreateOptions extends ApplicationReadQuery {
  createIfNotExists?: boolean;
  preserveOtherOwners?: boolean;
}

/**
 * Reads the application to change, and additional parts of the response. Throws if the id in `text` is invalid, or if the
 * caller does not reach the application. With `createIfNotExists`, the id of such an application is as that of a deleted one:
 * it cannot be used again.
 */
export async function readForChange(
  { account, requireReach }: Pick<RequestInput, 'account' | 'requireReach'>,
  text: string,
  query: ChangeOrCreateOptions,
): Promise<{ known: IdLookup<StoredApplication>; auditLog?: AuditEntry[]; files?: ApplicationFile[] }> {
  const { createIfNotExists, includeFullResponse } = query;
  const id = parseApplicationId(text);
  if (id === undefined && createIfNotExists) checkClientId(text);
  if (id === undefined) throw notFound('application', text);
  const lookUp = async () => {
    const found = await applications.lookUp(account, id);
    if (found.record)
      await requireReach('application', found.record, id).catch((error: unknown) => {
        const isHidden = error instanceof ApiError && error.code === 'not_found';
        throw isHidden && createIfNotExists ? new ApiError('id_retired') : error;
      });
    return found;
  };
  const [known, auditLog, files] = await inParallel([
    lookUp(),
    includeFullResponse ? auditLogOf(account, id) : undefined,
    readFiles(account, id, query),
  ]);
  return { known, auditLog, files };
}

/**
 * Changes the application. If it does not exist and `createIfNotExists` is set, creates an application with this id.
 * Throws `id_retired` if an application with this id was deleted.
 */
export async function changeOrCreate(
  { record: before, retired }: IdLookup<StoredApplication>,
  request: ApplicationChangeRequest & {
    account: AccountId;
    params: { applicationId: string };
    query: ChangeOrCreateOptions;
  },
): Promise<ChangedApplication> {
  const { applicationId } = request.params;
  if (before) return changeApplication(before, request, request.query);
  if (!request.query.createIfNotExists) throw notFound('application', applicationId);
  if (retired) throw new ApiError('id_retired');
  checkClientId(applicationId);
  return createOwnApplication(request, { ownId: applicationId });
}

/** Returns the response of GET with every value that the caller may read. */
export async function readableApplication(
  application: StoredApplication,
  request: Parameters<typeof applicationReadResponse>[1] & Parameters<typeof revealFor>[1],
): Promise<Application> {
  const query = { ...request.query, reveal: true };
  const [auditLog, shown] = mayReadApplication(request.principal, application)
    ? await inParallel([
        auditLogOf(application.accountId, application.id),
        revealFor(application, { ...request, query }),
      ])
    : [];
  return applicationReadResponse(application, request, { auditLog, ...shown });
}
