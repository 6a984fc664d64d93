import { REDACTED } from '../../security/merge-fields.ts';
import type { Principal } from '../../security/principal.ts';
import type { Section } from './fields.ts';
import type { Application, ApplicationSystem, Owner } from './schema.ts';
import { isSensitive, ownerPath } from './sensitive-values.ts';
import type { StoredApplication, StoredOwner } from './stored-application.ts';

/** What of an application is shown in clear. */
export interface Revealed {
  /** Sensitive values by path; every other is REDACTED. */
  values?: ReadonlyMap<string, string>;
  /** The key of the merchant's link, for those who may see it. */
  appKey?: string;
}

/** Reports whether the caller is authenticated only by the key of the application. */
export const isApplicant = ({ kind }: Principal): boolean => kind === 'applicant';

/** Whether somebody may read applications with their sensitive values, which no applicant may. */
export const mayReadApplications = ({ permissions }: Pick<Principal, 'permissions'>): boolean =>
  permissions.has('readApplications');

/** The application as whoever asks may see it. */
export const showTo = (
  principal: Principal,
  application: StoredApplication,
  shown: Revealed = {},
): Application => (isApplicant(principal) ? showToApplicant(application) : showToStaff(application, shown));

/** The application as the account's staff see it. */
export const showToStaff = (application: StoredApplication, shown: Revealed = {}): Application => {
  const { id, accountId, version, createdAt, createdBy, updatedAt, updatedBy, repcode, admin } = application;
  return {
    id,
    repcode,
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
 * The application as the merchant sees it: what it filled in, with every sensitive value redacted, and how far it got.
 * What is not named here is not shown: a field that is added later stays the staff's until somebody names it.
 */
export const showToApplicant = (application: StoredApplication): Application => {
  const { id, accountId, version, createdAt, updatedAt, admin } = application;
  return {
    id,
    system: applicantsSystem(systemOf(application)),
    ...sectionsOf(application),
    accountId,
    version,
    createdAt,
    updatedAt,
    ...(admin.infoRequested && { infoRequested: admin.infoRequested }),
  };
};

const applicantsSystem = ({
  appStatus,
  submitted,
  submittedDate,
  appCreatedDate,
  appUpdatedDate,
  appCompletedByMerchantBool,
  appCompletedByMerchantDate,
  appSubmittedBool,
  appSubmittedDate,
  merchantSignedDate,
  appAcceptedBool,
  appAcceptedDate,
}: ApplicationSystem): ApplicationSystem => ({
  appStatus,
  submitted,
  submittedDate,
  appCreatedDate,
  appUpdatedDate,
  appCompletedByMerchantBool,
  appCompletedByMerchantDate,
  appSubmittedBool,
  appSubmittedDate,
  merchantSignedDate,
  appAcceptedBool,
  appAcceptedDate,
});

/** `system` but for the key: derived from what happened, so that it cannot say anything else. */
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
      isSensitive(section, field) ? (values?.get(`${section}.${field}`) ?? REDACTED) : undefined,
    );
  const owner = (stored: StoredOwner): Owner => ({
    ...shownFields(stored, (field) =>
      isSensitive('businessOwners', field)
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

/** The fields, with `instead` of a value where it says something. */
const shownFields = (fields: object, instead: (field: string) => string | undefined): object =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, instead(field) ?? value]));
