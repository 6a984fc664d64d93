import { cutText } from '../../table/cut-text.ts';
import { completenessOf } from './completeness/required-items.ts';
import type { ApplicationSummary } from './record/schema.ts';
import type { StoredApplication } from './record/stored-application.ts';

/** The most bytes of a summary. */
export const largestApplicationSummary = 2560;

/**
 * Returns the flat summary for lists, filters and searches: at most 2.5 KB, without sensitive values. Truncates long
 * texts by their size in JSON.
 */
export function summarizeApplication(
  application: StoredApplication,
  { isComplete, percentage } = completenessOf(application),
): ApplicationSummary {
  const { basics = {}, businessDetails = {}, scheduleABasics = {}, admin } = application;
  const names = application.businessOwners.flatMap(({ name }) => name ?? []).join(', ');
  return withoutAbsent({
    id: application.id,
    accountId: application.accountId,
    version: application.version,
    status: application.status,
    priority: admin.priority,
    assignedTo: admin.assignedTo,
    ownerId: application.ownerId,
    teamId: application.teamId,
    participants: application.participants,
    repcode: cut(application.repcode, 100),
    dbaName: cut(basics.dbaName, 160),
    dbaContact: cut(basics.dbaContact, 100),
    ownerNames: cut(names || undefined, 160),
    dbaEmail: cut(basics.dbaEmail, 200),
    dbaPhone: cut(basics.dbaPhone, 64),
    dbaCity: cut(basics.dbaCity, 80),
    dbaState: cut(basics.dbaState, 40),
    mccNumber: businessDetails.mccNumber,
    highMonthlyVolume: scheduleABasics.highMonthlyVolume,
    isComplete,
    completeness: percentage,
    leadId: admin.leadId,
    merchantId: admin.merchantId,
    externalKeyId: admin.externalKeyId,
    externalId: admin.externalId,
    decision: admin.decision?.decision,
    createdAt: application.createdAt,
    createdBy: cut(application.createdBy, 200),
    updatedAt: application.updatedAt,
    submittedAt: application.submittedAt,
    decidedAt: application.decidedAt,
    completedAt: application.completedAt,
  });
}

const withoutAbsent = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const cut = (text: string | undefined, bytes: number): string | undefined =>
  text === undefined ? undefined : cutText(text, bytes);
