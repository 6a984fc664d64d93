import { portalOf } from '../../accounts/portal.ts';
import type { Account } from '../../accounts/schema.ts';
import { hideStaffUploader } from '../../documents/rules.ts';
import type { AuditEntry } from '../../integrity/audit/schema.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import { type ApplicationFile, documentRequirements } from './completeness/document-requirements.ts';
import { type Completeness, completenessOf } from './completeness/required-items.ts';
import { validation } from './completeness/validate-application.ts';
import { decryptApplication, placeInApplication } from './record/encrypt-application.ts';
import type { Application, ApplicationReadQuery } from './record/schema.ts';
import { appKeyPath, sensitiveApplicationValues } from './record/sensitive-values.ts';
import type { StoredApplication } from './record/stored-application.ts';
import { isApplicant, mayReadApplication, type Revealed, showTo } from './show-application.ts';

/** The caller, and the parts of the application that the query requests. */
interface Reader {
  principal: Principal;
  accountRecord: Pick<Account, 'requireCompleteApplication' | 'portalUrl' | 'vanityDomain'>;
  query: ApplicationReadQuery;
}

interface AdditionalParts {
  /** Records that were read in addition to the application because the caller requested them. */
  auditLog?: readonly AuditEntry[];
  files?: readonly ApplicationFile[];
  /** The completeness for the processing method of the form. Computed if it is needed and omitted. */
  completeness?: Completeness;
}

/**
 * Decrypts the sensitive values for callers with `readApplications`, unless `reveal` is false: they sent it, or have no fresh
 * proof. Other callers
 * get no values, not even the values that they sent. A caller also needs `writeApplications` to read the appKey,
 * because anyone with the appKey can change the application. An impersonated session gets no values and no appKey.
 */
export async function revealFor(
  application: StoredApplication,
  { principal, query, dataKeys }: Reader & { dataKeys(): Promise<DataKeys> },
): Promise<Required<Pick<Revealed, 'values'>> & Revealed> {
  const { appKey } = application;
  const mayChange = appKey && mayReach(principal, 'application', 'write', application);
  const nothing =
    !mayReadApplication(principal, application) || query.reveal === false || principal.impersonation;
  if (nothing || (!mayChange && sensitiveApplicationValues(application).length === 0))
    return { values: new Map() };
  const keys = await dataKeys();
  return {
    values: await decryptApplication(application, keys),
    ...(mayChange && { appKey: await keys.decrypt(placeInApplication(application, appKeyPath), appKey.jwe) }),
  };
}

/** Returns an application as this caller may see it, with the additional parts that the query requests. */
export function applicationResponse(
  application: StoredApplication,
  { principal, accountRecord, query }: Reader,
  { auditLog, files, completeness, ...revealed }: AdditionalParts & Revealed = {},
): Application {
  const { processingMethod, showAllDocuments, includeDocuments, includeFullResponse } = query;
  const mayRead = mayReadApplication(principal, application);
  const response = {
    ...showTo(principal, application, revealed),
    ...(auditLog && mayRead && { auditLog: [...auditLog] }),
  };
  if (!includeDocuments && !includeFullResponse) return response;
  const own = completeness ?? completenessOf(application);
  const shown = processingMethod ? completenessOf(application, processingMethod) : own;
  const requireComplete = accountRecord.requireCompleteApplication;
  return {
    ...response,
    documentRequirements: documentRequirements(shown, {
      showAllDocuments,
      files: isApplicant(principal) ? files?.map((file) => hideStaffUploader(principal, file)) : files,
    }),
    ...(includeFullResponse && {
      validation: validation(application, { own, shown, requireComplete, mayRead }),
    }),
  };
}

/** Returns the response of GET, which also contains `custom_domain`, the host of the account's portal. */
export const applicationReadResponse = (
  application: StoredApplication,
  reader: Reader,
  parts: AdditionalParts & Revealed,
): Application => ({
  ...applicationResponse(application, reader, parts),
  custom_domain: hostOfPortal(reader.accountRecord),
});

function hostOfPortal(account: Reader['accountRecord']): string | undefined {
  const portal = portalOf(account);
  return portal && new URL(portal).host;
}
