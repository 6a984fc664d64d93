import { byPath, hidden, hiding } from '../../../events/changes.ts';
import type { Described } from '../../../events/subject.ts';
import { objectSections, type SectionName } from './fields.ts';
import { isSensitiveFormField } from './sensitive-values.ts';
import type { StoredApplication } from './stored-application.ts';

/** The fields of an application in its events. */
type ApplicationEventFields = Pick<StoredApplication, 'id' | 'version'> & Record<string, unknown>;

/**
 * Returns the fields by path: `basics.dbaCity`, `businessOwners[own_1].name`. Sensitive values are hidden: an event
 * shows only that a value changed.
 */
export function applicationEventFields(application: StoredApplication): ApplicationEventFields {
  const { id, version, repcode, status, appFlags, applicationLog, appKey } = application;
  const { ownerId, teamId, participants } = application;
  const { leadId, merchantId, externalKeyId, externalId, assignedTo, priority, partner } = application.admin;
  const fields = {
    repcode,
    ...{ ownerId, teamId, participants },
    system: { appStatus: status, appFlags, applicationLog, appKey: appKey && hidden(appKey) },
    ...Object.fromEntries(
      objectSections.map((section) => [section, hideSensitive(section, application[section] ?? {})]),
    ),
    businessOwners: application.businessOwners.map((owner) => hideSensitive('businessOwners', owner)),
    admin: {
      ...{ leadId, merchantId, externalKeyId, externalId, assignedTo, priority },
      partner: partner && { state: partner.state },
    },
  };
  return { ...byPath(fields), id, version };
}

const hideSensitive = (section: SectionName, fields: object): object =>
  hiding(fields, (field) => isSensitiveFormField(section, field));

/** The label of an application in events is its business name. */
export const applicationSubject = {
  subject: 'application' as const,
  describe: ({ basics, admin }: Pick<StoredApplication, 'basics' | 'admin'>): Described => ({
    label: basics?.dbaName,
    assignedTo: admin.assignedTo,
  }),
};
