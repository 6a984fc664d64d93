import type { DocumentCategory, DocumentRequirements, UploadedFile } from '../record/schema.ts';
import type { Completeness, FormDocument } from './required-items.ts';

/** A completed file of an application. `uploadedDate` is an instant in UTC. */
export interface ApplicationFile extends Omit<UploadedFile, 'id'> {
  id: string | number;
  documentKey: string;
}

const show = ({ id, name, contentType, size, status, uploadedDate, uploadedBy }: ApplicationFile) => ({
  id: String(id),
  name,
  contentType,
  size,
  status,
  uploadedDate,
  uploadedBy,
});

/** Returns the files, newest first. */
const byAge = (files: readonly ApplicationFile[]): ApplicationFile[] =>
  [...files].sort((a, b) => (a.uploadedDate < b.uploadedDate ? 1 : a.uploadedDate > b.uploadedDate ? -1 : 0));

/**
 * Returns `documentRequirements`: all documents if `showAllDocuments` is set, otherwise only the required
 * ones. `total` is the number of listed documents. `files` are the completed files to show.
 */
export function documentRequirements(
  { documents }: Pick<Completeness, 'documents'>,
  options: { showAllDocuments?: boolean; files?: readonly ApplicationFile[] } = {},
): DocumentRequirements {
  const required = documents.filter((document) => document.required);
  const listed = options.showAllDocuments ? documents : required;
  const uploaded = required.filter((document) => document.uploaded).length;
  const files = byAge(options.files ?? []);
  const filesOf = (key: string) => files.filter(({ documentKey }) => documentKey === key);

  const named = ({ key, rule: { name, category } }: FormDocument) => ({ key, name, category });
  const ownerName = ({ owner }: FormDocument) => owner?.name !== undefined && { ownerName: owner.name };
  const requirement = (document: FormDocument) => ({
    ...named(document),
    ...ownerName(document),
    required: document.required,
    uploaded: document.uploaded,
  });
  const ofCategory = (category: DocumentCategory) =>
    listed.filter(({ rule }) => rule.category === category).map(requirement);

  return {
    total: listed.length,
    byCategory: {
      identification: ofCategory('identification'),
      business: ofCategory('business'),
      financial: ofCategory('financial'),
      operational: ofCategory('operational'),
      banking: ofCategory('banking'),
    },
    ownerSpecific: listed.filter(({ owner }) => owner).map(requirement),
    businessGeneral: listed.filter(({ owner }) => !owner).map(requirement),
    allDocuments: listed.map((document) => {
      const ofKey = filesOf(document.key);
      const shown = ofKey.find(({ status }) => status !== 'rejected') ?? ofKey[0];
      return {
        ...named(document),
        ...ownerName(document),
        uploaded: document.uploaded,
        ...(shown && { uploadInfo: show(shown) }),
      };
    }),
    uploadedDocuments: Object.fromEntries(
      files.map(({ documentKey: key }) => [key, { key, files: filesOf(key).map(show) }]),
    ),
    requiredDocuments: required.map((document) => ({
      ...named(document),
      required: true,
      uploaded: document.uploaded,
    })),
    completeness: {
      uploaded,
      required: required.length,
      percentage: required.length === 0 ? 100 : Math.floor((100 * uploaded) / required.length),
    },
  };
}
