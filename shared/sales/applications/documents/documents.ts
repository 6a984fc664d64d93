import type { DocumentParent, DocumentResource, FileChange } from '../../../documents/document-resource.ts';
import { ApplicationDocument } from '../../../documents/schema.ts';
import { applicationDocuments, showApplicationDocument } from '../../../documents/store.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { type Authored, revise } from '../../../table/revise.ts';
import { completenessOf, isDocumentKey } from '../completeness/required-items.ts';
import { markCompleted } from '../completeness/validate-application.ts';
import { applicationCompleted } from '../events.ts';
import { parseApplicationId } from '../record/application-id.ts';
import { markAnswered } from '../record/mark-answered.ts';
import { ApplicationParams } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import { applications } from '../store.ts';

/** The document that the merchant signs. */
const signedKey = 'signed-application';

const applicationAsParent: DocumentParent<StoredApplication> = {
  type: 'application',
  idFrom: parseApplicationId,
  get: (account, id) => applications.get(account, String(id)),

  checkAcceptsFiles({ status }) {
    if (status !== 'pending' && status !== 'submitted') throw new ApiError('files_closed');
  },

  checkKey(application, key) {
    if (!isDocumentKey(application, key))
      throw invalid('documentKey', 'must be a key that documentRequirements lists for this application');
  },

  checkMayDelete({ status }, { createdBy }, { kind, actor }) {
    if (kind !== 'applicant') return;
    if (createdBy !== actor.user) throw new ApiError('permission_denied');
    if (status !== 'pending') throw new ApiError('application_not_pending');
  },

  emits: ['application_completed'],

  onFilesChanged(before, change, request) {
    const revised = withFiles(before, change, request);
    const completeness = completenessOf(revised);
    const after = markCompleted(revised, completeness, request.now);
    return {
      writes: applications.replace(before, after, completeness),
      events: applicationCompleted(before, after),
    };
  },
};

/**
 * Updates the application after a change to its files. A new file marks the requests for its document as
 * answered. Sets `signed` if a signed application was added. Clears `signed` if its file no longer counts as
 * uploaded.
 */
function withFiles(
  before: StoredApplication,
  { uploads: changes, document }: FileChange,
  request: Authored,
): StoredApplication {
  const uploads = { ...before.uploads };
  for (const [key, amount] of changes) {
    uploads[key] = (uploads[key] ?? 0) + amount;
    if (uploads[key] <= 0) delete uploads[key];
  }
  const isAdded = (key = ''): boolean => (changes.get(key) ?? 0) > 0;
  const documentId = String(document.id);
  const unsigned = before.signed?.documentId === documentId && changes.has(signedKey);
  const signed = isAdded(signedKey)
    ? { documentId, at: document.uploadedDate ?? '' }
    : unsigned
      ? null
      : undefined;
  const admin = markAnswered(before.admin, ({ documentKey }) => isAdded(documentKey));
  return revise(before, { uploads, signed, admin }, request);
}

/** The documents of applications. Applicants and staff upload documents, and underwriters review them. */
export const documentsOfApplications: DocumentResource<StoredApplication> = {
  parent: applicationAsParent,
  store: applicationDocuments,
  path: '/applications/{applicationId}',
  params: ApplicationParams.properties,
  keyName: 'documentKey',
  item: ApplicationDocument,
  show: showApplicationDocument,
  applicants: true,
  reach: 'application',
  permissions: { read: 'readApplications', write: 'writeApplications', review: 'writeUnderwriting' },
};
