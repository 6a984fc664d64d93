import { byPath, changesBetween, hidden, hiding } from '../../events/changes.ts';
import type { Described } from '../../events/subject.ts';
import { objectSections, type SectionName } from './fields.ts';
import { isSensitive } from './sensitive-values.ts';
import type { StoredApplication } from './stored-application.ts';

/** An application as its events tell of it. */
type ApplicationEventFields = Pick<StoredApplication, 'id' | 'version'> & Record<string, unknown>;

/**
 * The fields of an application by their paths: `basics.dbaCity`, `businessOwners[own_1].name`. Of a sensitive value an
 * event says that it changed and nothing else.
 */
export function eventFieldsOf(application: StoredApplication): ApplicationEventFields {
  const { id, version, repcode, status, appFlags, applicationLog, appKey } = application;
  const { leadId, merchantId, assignedTo, priority } = application.admin;
  const fields = {
    repcode,
    system: { appStatus: status, appFlags, applicationLog, appKey: appKey && hidden(appKey) },
    ...Object.fromEntries(
      objectSections.map((section) => [section, hideSensitive(section, application[section] ?? {})]),
    ),
    businessOwners: application.businessOwners.map((owner) => hideSensitive('businessOwners', owner)),
    admin: { leadId, merchantId, assignedTo, priority },
  };
  return { ...byPath(fields), id, version };
}

const hideSensitive = (section: SectionName, fields: object): object =>
  hiding(fields, (field) => isSensitive(section, field));

/** How events name an application: as its business calls itself. */
export const applicationSubject = {
  subject: 'application' as const,
  describe: (fields: ApplicationEventFields): Described => ({
    label: textIn(fields['basics.dbaName']),
    assignedTo: textIn(fields['admin.assignedTo']),
  }),
};

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The paths of what differs between two states of an application. */
export const changedPaths = (before: StoredApplication, after: StoredApplication): string[] =>
  Object.keys(changesBetween(eventFieldsOf(before), eventFieldsOf(after)));
