import { REDACTED } from '../../security/merge-fields.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import type { Section } from './record/fields.ts';
import type { Application, ApplicationAdmin, ApplicationSystem, Owner } from './record/schema.ts';
import { isSensitiveFormField, ownerPath } from './record/sensitive-values.ts';
import type { StoredApplication, StoredOwner } from './record/stored-application.ts';

/** The decrypted values that the caller may see. */
export interface Revealed {
  /** Sensitive values by path. All other sensitive values are REDACTED. */
  values?: ReadonlyMap<string, string>;
  appKey?: string;
}

/** Reports whether the caller is authenticated by an appKey only. */
export const isApplicant = ({ kind }: Principal): boolean => kind === 'applicant';

/** Reports whether the caller may read an application and its sensitive values. An applicant has no permissions. */
export const mayReadApplication = (principal: Principal, application: StoredApplication): boolean =>
  !isApplicant(principal) && mayReach(principal, 'application', 'read', application);

/** Returns the application as this caller may see it. */
export const showTo = (
  principal: Principal,
  application: StoredApplication,
  shown: Revealed = {},
): Application =>
  isApplicant(principal)
    ? showToApplicant(application)
    : { ...showToStaff(application, shown), admin: showAdmin(principal, application.admin) };

/** Returns the application for the account's staff, with all administrative data. */
export const showToStaff = (application: StoredApplication, shown: Revealed = {}): Application => {
  const { id, accountId, version, createdAt, createdBy, updatedAt, updatedBy, repcode, admin } = application;
  const { ownerId, teamId, participants } = application;
  return {
    id,
    repcode,
    ...{ ownerId, teamId, participants },
    system: { ...(shown.appKey && { appKey: shown.appKey }), ...systemOf(application) },
    ...sectionsOf(application, shown.values),
    admin,
    accountId,
    version,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
  };
};

/**
 * Returns the administrative data for the account's staff. The risk factors include the number of duplicates among all
 * applications and merchants. Without permission to read both, all factors are omitted: the difference between the
 * score and the sum of the other factors would reveal the omitted factor. The results of automatic rules can depend on
 * the same number, so they are omitted, too.
 */
export function showAdmin({ permissions }: Principal, admin: ApplicationAdmin): ApplicationAdmin {
  if (permissions.has('readApplications') && permissions.has('readMerchants')) return admin;
  const { risk, rules, ...shown } = admin;
  if (!risk) return shown;
  const { factors, ...assessed } = risk;
  return { ...shown, risk: assessed };
}

/**
 * Returns the application for the merchant: the form with sensitive values redacted, and the status. Copies only the
 * listed fields, so that a field added later is not shown to merchants by accident.
 */
export const showToApplicant = (application: StoredApplication): Application => {
  const { id, accountId, version, createdAt, updatedAt, admin } = application;
  return {
    id,
    system: applicantSystem(systemOf(application)),
    ...sectionsOf(application),
    accountId,
    version,
    createdAt,
    updatedAt,
    ...(admin.infoRequested && { infoRequested: admin.infoRequested }),
  };
};

const applicantSystemFields = new Set([
  'appStatus',
  'submitted',
  'submittedDate',
  'appCreatedDate',
  'appUpdatedDate',
  'appCompletedByMerchantBool',
  'appCompletedByMerchantDate',
  'appSubmittedBool',
  'appSubmittedDate',
  'merchantSignedDate',
  'appAcceptedBool',
  'appAcceptedDate',
]);

const applicantSystem = (system: ApplicationSystem): object =>
  Object.fromEntries(Object.entries(system).filter(([field]) => applicantSystemFields.has(field)));

/** Derives `system` (without the appKey) from stored fields, so that `system` never contradicts these fields. */
function systemOf(application: StoredApplication): ApplicationSystem {
  const { status, submittedBy, submittedAt, decidedAt, completedAt, signed } = application;
  const submitted = status !== 'pending';
  const accepted = status === 'approved';
  return {
    appStatus: status,
    submitted,
    submittedBy,
    submittedDate: submittedAt,
    appFlags: application.appFlags,
    applicationLog: application.applicationLog,
    appCreatedDate: application.createdAt,
    appUpdatedDate: application.updatedAt,
    appCompletedByMerchantBool: String(completedAt !== undefined),
    appCompletedByMerchantDate: completedAt,
    appSubmittedBool: String(submitted),
    appSubmittedDate: submittedAt,
    merchantSignedDate: signed?.at,
    appAcceptedBool: String(accepted),
    ...(accepted && { appAcceptedDate: decidedAt }),
    agentCode: application.repcode,
    documentId: signed?.documentId,
  };
}

type ShownSections = Pick<Application, Section | 'businessOwners'>;

function sectionsOf(application: StoredApplication, values?: ReadonlyMap<string, string>): ShownSections {
  const show = <S extends Section>(section: S): Application[S] =>
    shownFields(application[section] ?? {}, (field) =>
      isSensitiveFormField(section, field) ? (values?.get(`${section}.${field}`) ?? REDACTED) : undefined,
    );
  const owner = (stored: StoredOwner): Owner => ({
    ...shownFields(stored, (field) =>
      isSensitiveFormField('businessOwners', field)
        ? (values?.get(ownerPath(stored.uniqueId, field)) ?? REDACTED)
        : undefined,
    ),
    id: stored.id,
    uniqueId: stored.uniqueId,
  });
  return {
    basics: show('basics'),
    businessDetails: show('businessDetails'),
    businessHistory: show('businessHistory'),
    businessBanking: show('businessBanking'),
    businessOwners: application.businessOwners.map(owner),
    orderProcessing: show('orderProcessing'),
    scheduleABasics: show('scheduleABasics'),
    scheduleADiscountRates: show('scheduleADiscountRates'),
    scheduleAPerItemFees: show('scheduleAPerItemFees'),
  };
}

/** Copies the fields. Replaces each value for which `replacement` returns a text. */
const shownFields = (fields: object, replacement: (field: string) => string | undefined): object =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, replacement(field) ?? value]));
