import type { Account } from '../../accounts/schema.ts';
import { completenessOf } from '../applications/completeness/required-items.ts';
import { canSubmit } from '../applications/completeness/validate-application.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import type { ExternalApplication } from './schema.ts';

/** Returns an application as the key that sent it may see it: no values of the form, and no texts of staff. */
export function showExternalApplication(
  application: StoredApplication,
  { requireCompleteApplication }: Pick<Account, 'requireCompleteApplication'>,
): ExternalApplication {
  const { admin, version, businessOwners, createdAt, submittedAt, decidedAt } = application;
  const completeness = completenessOf(application);
  const { fields, documents } = completeness.missing;
  return {
    externalId: admin.externalId ?? '',
    status: statusOfExternal(application),
    version,
    isComplete: completeness.isComplete,
    canSubmit: canSubmit(application, completeness, requireCompleteApplication),
    completeness: completeness.percentage,
    missingFields: fields.map(({ field, or }) => ({ field, or })),
    missingDocuments: documents.map(({ key, rule }) => ({ documentKey: key, name: rule.name })),
    openRequests: (admin.infoRequested ?? [])
      .filter(({ answered }) => !answered)
      .map(({ field, documentKey }) => ({ field, documentKey })),
    owners: businessOwners.map(({ id, uniqueId }) => ({ id, uniqueId })),
    createdAt,
    submittedAt,
    decidedAt,
  };
}

function statusOfExternal({ status, admin }: StoredApplication): ExternalApplication['status'] {
  if (status === 'approved' && admin.boardedAt) return 'boarded';
  return status === 'pending' && admin.decision?.decision === 'info_requested'
    ? 'information_requested'
    : status;
}
