import type { ByPermissionOrAppKey } from '../endpoints/contract.ts';
import { emptyBody } from '../endpoints/empty-body.ts';
import { endpoint } from '../endpoints/endpoint.ts';
import { filterBy } from '../endpoints/list-filters.ts';
import { listing } from '../endpoints/listing.ts';
import type { RequireReach } from '../endpoints/reached.ts';
import type { RunOnce } from '../endpoints/run-once.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import type { Permission } from '../resources/registry.ts';
import { array, object, string, type TObject } from '../schema.ts';
import type { Principal } from '../security/principal.ts';
import { inParallel } from '../table/in-parallel.ts';
import type { RecordId } from '../table/keys.ts';
import { readOnce } from '../table/list-source.ts';
import { newRecord } from '../table/record-fields.ts';
import { type Authored, revise } from '../table/revise.ts';
import { type PresignedRequest, presignDownload, presignUpload } from './bucket.ts';
import { checkUpload, findUpload, keepUpload, type UploadedObject } from './check-upload.ts';
import type { DocumentParent, DocumentResource, FileChangeRequest } from './document-resource.ts';
import { documentEvent, documentUpdated } from './events.ts';
import { type DocumentPlace, documentObject, incomingObject } from './object-keys.ts';
import {
  countChanges,
  hideStaffUploader,
  linkSeconds,
  maxFilesPerKey,
  maxFilesPerRecord,
  uploadSeconds,
} from './rules.ts';
import {
  type DocumentInput,
  DocumentLink,
  DocumentParams,
  type DocumentPatch,
  documentInput,
  documentPatch,
  type ShownDocument,
  type StoredDocument,
  Upload,
} from './schema.ts';

interface EndpointDescription {
  summary: string;
  description?: string;
}

/** Declares `GET …/documents`. Filters apply to all documents of a record (at most 100). */
export const listDocuments = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  listing(
    {
      ...described,
      path: `${of.path}/documents`,
      params: object(of.params),
      ...accessRules(of, of.permissions.read, ['uploadedBy']),
      item: of.item,
      fields: {
        createdAt: ['sort'],
        uploadedDate: ['sort'],
        name: ['search', 'sort'],
        size: ['sort'],
        status: ['filter', 'sort'],
        contentType: ['filter'],
        uploadedBy: ['filter'],
      },
      customFilters: {
        [of.keyName]: filterBy(array(string()), ({ key }: StoredDocument, keys) => keys.includes(key)),
      },
      showTo: (document, principal) => hideFromApplicant({ principal }, document),
    },
    (input) => {
      const { account } = input;
      const parentId = readOnce(() => parentIdIn(of, input));
      return {
        newest: async (bounds) => {
          const id = await parentId();
          const { newest } = of.store.listOf(account, id);
          const [, found] = await inParallel([readParent(of, input, id), newest(bounds)]);
          return found;
        },
        total: async () => of.store.listOf(account, await parentId()).total(),
        show: async (page) => page.map(of.show),
      };
    },
  );

/** Declares `POST …/documents`. Responds with a signed request that can upload only the described file. */
export const requestUpload = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  endpoint({
    ...described,
    method: 'POST',
    path: `${of.path}/documents`,
    params: object(of.params),
    ...accessRules(of, of.permissions.write),
    body: documentInput(of.keyName),
    response: object({ ...of.item.properties, upload: Upload }),
    success: 'created',
    errors: ['files_closed', 'too_many_files'],
    emits: ['file_upload_url_requested'],
    files: 'upload',
    read: async (input) => {
      const parentId = await parentIdIn(of, input);
      return { parentId, parent: await readParent(of, input, parentId) };
    },
    decide: async (request, { parentId, parent }) => {
      const { document, upload, ...change } = await beginUpload(of, request, parent, parentId);
      return { response: { ...hideFromApplicant(request, of.show(document)), upload }, ...change };
    },
  });

interface DocumentRequest extends FileChangeRequest {
  account: AccountId;
}

/** Creates a document and the signed request that uploads its file. Throws if the record does not accept the document. */
export async function beginUpload<P>(
  of: Pick<DocumentResource<P>, 'parent' | 'store'>,
  request: DocumentRequest & { body: DocumentInput },
  parent: P,
  parentId: RecordId,
): Promise<Effects & { document: StoredDocument; upload: PresignedRequest }> {
  const { documentKey, type, sha256, ...file } = request.body;
  const key = documentKey ?? type ?? '';
  of.parent.checkAcceptsFiles(parent);
  of.parent.checkKey(parent, key);
  const document: StoredDocument = {
    ...newRecord(request),
    ...file,
    sha256: sha256.toLowerCase(),
    key,
    parentId,
    status: 'pending',
  };
  const { now } = request;
  const upload = await presignUpload(incomingObject(placeOf(of, document)), document, {
    now,
    seconds: uploadSeconds,
  });
  return {
    document,
    upload,
    writes: of.store.insert(document, limitsOf(key)),
    events: [documentEvent('file_upload_url_requested', of.parent.type, document)],
  };
}

/**
 * Declares `POST …/documents/{documentId}/complete`, which checks the upload and copies the file to its permanent key.
 * The file then counts as an uploaded file of the record, unless it is rejected. A repeated request changes nothing and
 * returns the same response.
 */
export const completeUpload = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  endpoint({
    ...described,
    method: 'POST',
    path: `${of.path}/documents/{documentId}/complete`,
    params: documentParams(of),
    ...accessRules(of, of.permissions.write),
    ...emptyBody,
    response: of.item,
    errors: ['files_closed', 'upload_missing', 'upload_unfit'],
    emits: ['file_uploaded', ...(of.parent.emits ?? [])],
    files: 'take',
    read: async (input) => {
      const place = await placeIn(of, input);
      const [parent, document, upload] = await inParallel([
        readParent(of, input, place.parentId),
        of.store.get(place.account, place.parentId, place.documentId),
        findUpload(place, input),
      ]);
      return { parent, document, upload };
    },
    decide: async (request, { parent, document, upload }) => {
      const { after, ...change } = await finishUpload(of, request, parent, document, upload);
      return { response: hideFromApplicant(request, of.show(after)), ...change };
    },
  });

/**
 * Completes a document after its file was uploaded. Returns no events if it is already complete. Throws `upload_missing`
 * and `upload_unfit`.
 */
export async function finishUpload<P>(
  of: Pick<DocumentResource<P>, 'parent' | 'store'>,
  request: FileChangeRequest & { deadline: number; runOnce: RunOnce },
  parent: P,
  document: StoredDocument,
  upload: UploadedObject | undefined,
): Promise<Effects & { after: StoredDocument }> {
  if (document.uploadedDate !== undefined) return { after: document, writes: [], events: [] };
  of.parent.checkAcceptsFiles(parent);
  checkUpload(document, upload);
  const kept = await request.runOnce(
    () => keepUpload(placeOf(of, document), upload, request),
    () => true,
  );
  if (!kept) throw new ApiError('upload_missing');
  const { now, principal } = request;
  const uploaded = { uploadedDate: now.toISOString(), uploadedBy: principal.actor.user };
  const after = revise(document, uploaded, request);
  const change = await changed(of, parent, document, after, request, [
    documentEvent('file_uploaded', of.parent.type, after),
  ]);
  return { after, ...change };
}

/** Declares `PATCH …/documents/{documentId}`: changes the name or key, or approves or rejects the document. */
export const reviewDocument = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  endpoint({
    ...described,
    method: 'PATCH',
    path: `${of.path}/documents/{documentId}`,
    params: documentParams(of),
    ...reachRule(of),
    permission: of.permissions.review,
    body: documentPatch(of.keyName),
    response: of.item,
    errors: ['files_closed', 'too_many_files', 'upload_missing'],
    emits: ['file_meta_data_updated', ...(of.parent.emits ?? [])],
    read: (input) => parentAndDocument(of, input),
    decide: async (request, [parent, before]) => {
      await request.checkReadOnly(() => of.show(before));
      const patch: DocumentPatch = request.body;
      of.parent.checkAcceptsFiles(parent);
      const after = applyReview(before, patch, request);
      if (after.key !== before.key) of.parent.checkKey(parent, after.key);
      return {
        response: of.show(after),
        ...(await changed(
          of,
          parent,
          before,
          after,
          request,
          documentUpdated(of.parent.type, before, after),
        )),
      };
    },
  });

/**
 * Applies a review. If the status changes and no new reason is given, removes the old reason. Throws
 * `upload_missing` if a document without a file is approved or rejected.
 */
function applyReview(
  document: StoredDocument,
  { name, documentKey, type, status = document.status, reason }: DocumentPatch,
  request: Authored,
): StoredDocument {
  if (status !== 'pending' && document.uploadedDate === undefined) throw new ApiError('upload_missing');
  const kept = status === document.status ? document.reason : undefined;
  const current = reason ?? kept ?? null;
  if (status === 'rejected' && current === null) throw invalid('reason', 'is required to reject a document');
  return revise(document, { name, key: documentKey ?? type, status, reason: current }, request);
}

/** Declares `DELETE …/documents/{documentId}`. The file is deleted in the background. */
export const deleteDocument = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  endpoint({
    ...described,
    method: 'DELETE',
    path: `${of.path}/documents/{documentId}`,
    params: documentParams(of),
    ...accessRules(of, of.permissions.write),
    response: of.item,
    errors: ['files_closed'],
    emits: ['file_deleted', ...(of.parent.emits ?? [])],
    read: (input) => parentAndDocument(of, input),
    decide: async (request, [parent, document]) => {
      of.parent.checkAcceptsFiles(parent);
      of.parent.checkMayDelete?.(parent, document, request.principal);
      return {
        response: hideFromApplicant(request, of.show(document)),
        ...(await changed(of, parent, document, undefined, request, [
          documentEvent('file_deleted', of.parent.type, document),
        ])),
      };
    },
  });

/** Declares `GET …/documents/{documentId}/link`: a download URL that is valid for five minutes. */
export const linkDocument = <P>(of: DocumentResource<P>, described: EndpointDescription) =>
  endpoint({
    ...described,
    method: 'GET',
    path: `${of.path}/documents/{documentId}/link`,
    params: documentParams(of),
    ...reachRule(of),
    permission: of.permissions.read,
    response: DocumentLink,
    errors: ['upload_missing'],
    emits: ['file_requested'],
    files: 'download',
    read: (input) => parentAndDocument(of, input),
    decide: async ({ now }, [, document]) => {
      if (document.uploadedDate === undefined) throw new ApiError('upload_missing');
      const { name: fileName, contentType } = document;
      const key = documentObject(placeOf(of, document));
      return {
        response: await presignDownload(key, { fileName, contentType }, { now, seconds: linkSeconds }),
        writes: [],
        events: [documentEvent('file_requested', of.parent.type, document)],
      };
    },
  });

/** Returns the access rules of an endpoint. If the resource accepts applicants, an appKey also grants access. */
const accessRules = (
  { applicants, reach }: Pick<DocumentResource<unknown>, 'applicants' | 'reach'>,
  permission: Permission,
  applicantMayNotSend: readonly string[] = [],
): ByPermissionOrAppKey => ({
  permission,
  ...reachRule({ reach }),
  applicant: applicants === true,
  ...(applicants && { applicantMayNotSend }),
});

const reachRule = ({ reach }: Pick<DocumentResource<unknown>, 'reach'>) => (reach ? { reach } : {});

/** Hides the names of staff and the download path if the principal is an applicant. */
function hideFromApplicant({ principal }: { principal: Principal }, document: ShownDocument): ShownDocument {
  if (principal.kind !== 'applicant') return document;
  return { ...hideStaffUploader(principal, document), url: undefined };
}

/** Returns the writes and events for a changed or deleted document and for the record to which the document belongs. */
async function changed<P>(
  of: Pick<DocumentResource<P>, 'parent' | 'store'>,
  parent: P,
  before: StoredDocument,
  after: StoredDocument | undefined,
  request: FileChangeRequest,
  events: EventDraft[],
): Promise<Effects> {
  const uploads = countChanges(before, after);
  const own = after ? of.store.replace(before, after, limitsOf(after.key)) : of.store.delete(before);
  const parentChange =
    uploads.size > 0
      ? await of.parent.onFilesChanged?.(parent, { uploads, document: after ?? before }, request)
      : undefined;
  return {
    writes: [...own, ...(parentChange?.writes ?? [])],
    events: [...events, ...(parentChange?.events ?? [])],
  };
}

const limitsOf = (key: string) => ({
  most: maxFilesPerRecord,
  mostOf: { [key]: maxFilesPerKey },
  otherwise: new ApiError('too_many_files'),
});

type Placed = Pick<DocumentResource<unknown>, 'path' | 'params'> & {
  parent: Pick<DocumentParent<unknown>, 'idFrom' | 'type'>;
};

const documentParams = ({ params }: Placed): TObject => object({ ...params, ...DocumentParams.properties });

interface DocumentPath {
  account: AccountId;
  params: unknown;
}

type DocumentReader = DocumentPath & { requireReach: RequireReach };

/** Returns the record to which the documents belong. Throws `not_found` if it does not exist or the caller does not reach it. */
async function readParent<P>(
  { parent, path, reach }: Pick<DocumentResource<P>, 'parent' | 'path' | 'reach'>,
  { account, params, requireReach }: DocumentReader,
  id: RecordId,
): Promise<P> {
  const reading = parent.get(account, id);
  if (!reach) return reading;
  const { getReached } = parent;
  const reference = parent.referenceOf?.(segmentIn(path, params)) ?? id;
  if (getReached) {
    const requiring = requireReach(reach, () => getReached(account, id), reference);
    return (await inParallel([reading, requiring]))[0];
  }
  const found = await reading;
  await requireReach(reach, found as object, reference);
  return found;
}

/** Returns the path segment that names the record. */
function segmentIn(path: string, params: unknown): string {
  const [, name = ''] = /\{(\w+)\}$/.exec(path) ?? [];
  return String((params as Record<string, unknown>)[name]);
}

/** Returns the id of the record in the path. Throws `not_found` if the path segment is not an id. */
async function parentIdIn({ path, parent }: Placed, { account, params }: DocumentPath): Promise<RecordId> {
  const text = segmentIn(path, params);
  const id = await parent.idFrom(text, account);
  if (id === undefined) throw notFound(parent.type, text);
  return id;
}

async function placeIn(of: Placed, { account, params }: DocumentPath): Promise<DocumentPlace> {
  const text = String((params as Record<string, unknown>).documentId);
  const documentId = asRecordId(text);
  if (documentId === undefined) throw notFound('document', text);
  const parentId = await parentIdIn(of, { account, params });
  return { account, parent: of.parent.type, parentId, documentId };
}

const placeOf = (
  { parent }: Pick<Placed, 'parent'>,
  { accountId, parentId, id }: StoredDocument,
): DocumentPlace => ({
  account: accountId,
  parent: parent.type,
  parentId,
  documentId: id,
});

async function parentAndDocument<P>(
  of: DocumentResource<P>,
  input: DocumentReader,
): Promise<[P, StoredDocument]> {
  const { account, parentId, documentId } = await placeIn(of, input);
  return inParallel([readParent(of, input, parentId), of.store.get(account, parentId, documentId)]);
}
