import type { Account } from '../../accounts/schema.ts';
import { hideStaffUploader } from '../../documents/rules.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Principal } from '../../security/principal.ts';
import { type ApplicationFile, documentRequirements } from './document-requirements.ts';
import type { Application, ApplicationViewQuery } from './schema.ts';
import { openValues, placeOf } from './seal-values.ts';
import { appKeyPath, sensitiveValues } from './sensitive-values.ts';
import { isApplicant, mayReadApplications, type Revealed, showTo } from './show-application.ts';
import type { StoredApplication } from './stored-application.ts';
import { validation } from './validate-application.ts';

/** Who asks to see an application, and what of it. */
interface Viewer {
  principal: Principal;
  accountRecord: Pick<Account, 'requireCompleteApplication' | 'portalUrl'>;
  query: ApplicationViewQuery;
}

/** What was read beside the application for those who asked for it. */
interface AdditionalParts {
  auditLog?: readonly AuditEntry[];
  files?: readonly ApplicationFile[];
}

/**
 * What the viewer is shown in clear. Applicants and callers without `readApplications` are shown nothing, also in the response
 * to a change. Others are shown every sensitive value unless they send `reveal=false`, and the key of the link only with
 * `writeApplications`, because its holder can change the application.
 */
export async function revealFor(
  application: StoredApplication,
  { principal, query, dataKeys }: Viewer & { dataKeys(): Promise<DataKeys> },
): Promise<Required<Pick<Revealed, 'values'>> & Revealed> {
  const { appKey } = application;
  const mayChange = appKey && principal.permissions.has('writeApplications');
  const nothing = !mayReadApplications(principal) || query.reveal === false;
  if (nothing || (!mayChange && sensitiveValues(application).length === 0)) return { values: new Map() };
  const keys = await dataKeys();
  return {
    values: await openValues(application, keys),
    ...(mayChange && { appKey: await keys.open(placeOf(application, appKeyPath), appKey.jwe) }),
  };
}

/** The response that shows an application: to each what is for them, with what they asked for beside it. */
export function applicationResponse(
  application: StoredApplication,
  { principal, accountRecord, query }: Viewer,
  { auditLog, files, ...shown }: AdditionalParts & Revealed = {},
): Application {
  const { processingMethod, showAllDocuments, includeDocuments, includeFullResponse } = query;
  const applicant = isApplicant(principal);
  return {
    ...showTo(principal, application, shown),
    ...(auditLog && mayReadApplications(principal) && { auditLog: [...auditLog] }),
    ...((includeDocuments || includeFullResponse) && {
      documentRequirements: documentRequirements(application, {
        processingMethod,
        showAllDocuments,
        files: applicant ? files?.map((file) => hideStaffUploader(principal, file)) : files,
      }),
    }),
    ...(includeFullResponse && {
      validation: validation(application, {
        processingMethod,
        requireComplete: accountRecord.requireCompleteApplication,
        mayRead: mayReadApplications(principal),
      }),
    }),
  };
}

/** The same as GET returns it: with the host of the account's portal, to which the merchant's link leads. */
export const applicationReadResponse = (
  application: StoredApplication,
  viewer: Viewer,
  beside: AdditionalParts & Revealed,
): Application => ({
  ...applicationResponse(application, viewer, beside),
  custom_domain: viewer.accountRecord.portalUrl && new URL(viewer.accountRecord.portalUrl).host,
});
