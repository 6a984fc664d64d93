import { ApiError } from '../errors.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { type Authored, revise } from '../table/revise.ts';

/**
 * Marks an approved application as submitted to the partner. Throws `application_not_approved`, and `partner_submitted`
 * unless the last submission failed.
 */
export function submitToPartner(application: StoredApplication, request: Authored): StoredApplication {
  if (application.status !== 'approved') throw new ApiError('application_not_approved');
  const { partner: before } = application.admin;
  if (before && before.state !== 'failed') throw new ApiError('partner_submitted');
  const { error: _, ...kept } = before ?? {};
  const partner = {
    ...kept,
    state: 'queued' as const,
    submission: (before?.submission ?? 0) + 1,
    submittedAt: request.now.toISOString(),
  };
  return revise(application, { admin: { ...application.admin, partner } }, request);
}
