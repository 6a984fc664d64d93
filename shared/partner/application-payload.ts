import { CompactEncrypt } from 'jose';
import { presignDownload } from '../documents/bucket.ts';
import { documentObject } from '../documents/object-keys.ts';
import { maxFilesPerRecord } from '../documents/rules.ts';
import type { StoredDocument } from '../documents/schema.ts';
import { applicationDocuments } from '../documents/store.ts';
import { decryptApplication } from '../sales/applications/record/encrypt-application.ts';
import { objectSections } from '../sales/applications/record/fields.ts';
import { isSensitiveFormField } from '../sales/applications/record/sensitive-values.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import type { DataKeys } from '../security/data-keys.ts';
import { readPublicKey } from './public-key.ts';
import type { StoredConnection } from './store.ts';

/** How long a link to a document is valid, in seconds. */
const linkSeconds = 15 * 60;

/**
 * Returns the body of `POST {url}/applications`. The sections contain no sensitive values. If the partner has a public
 * key, `sensitive` is a JWE with these values by path.
 */
export async function applicationPayload(
  application: StoredApplication,
  { publicKey }: Pick<StoredConnection, 'publicKey'>,
  { keys, now }: { keys: DataKeys; now: Date },
) {
  const { id, accountId, admin, repcode } = application;
  const values = publicKey === undefined ? undefined : await decryptApplication(application, keys);
  return {
    version: 1,
    id,
    accountId,
    submission: admin.partner?.submission,
    submittedAt: admin.partner?.submittedAt,
    merchantId: admin.merchantId,
    repcode,
    ...Object.fromEntries(
      objectSections.map((section) => [
        section,
        withoutFields(application[section] ?? {}, (field) => isSensitiveFormField(section, field)),
      ]),
    ),
    businessOwners: application.businessOwners.map((owner) =>
      withoutFields(owner, (field) => isSensitiveFormField('businessOwners', field)),
    ),
    ...(publicKey !== undefined &&
      values &&
      values.size > 0 && { sensitive: await encryptForPartner(publicKey, application, values) }),
    documents: await linkedDocuments(application, now),
  };
}

const withoutFields = (fields: object, omits: (field: string) => boolean): object =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !omits(field)));

/** Encrypts the values for the partner. The protected header names the application, so that the JWE fits no other. */
function encryptForPartner(
  publicKey: string,
  { id, accountId }: StoredApplication,
  values: ReadonlyMap<string, string>,
): Promise<string> {
  const key = readPublicKey(publicKey);
  const alg = key.asymmetricKeyType === 'rsa' ? 'RSA-OAEP-256' : 'ECDH-ES+A256KW';
  return new CompactEncrypt(Buffer.from(JSON.stringify(Object.fromEntries(values))))
    .setProtectedHeader({ alg, enc: 'A256GCM', account: accountId, application: id })
    .encrypt(key);
}

/** The completed files that are not rejected, each with a link. */
async function linkedDocuments({ accountId, id }: StoredApplication, now: Date) {
  const documents = await applicationDocuments.newest(accountId, id, maxFilesPerRecord);
  const sent = documents.filter(({ uploadedDate, status }) => uploadedDate && status !== 'rejected');
  return Promise.all(sent.map((document) => linked(document, now)));
}

async function linked(document: StoredDocument, now: Date) {
  const { id, key, name, contentType, size, sha256 } = document;
  const link = await presignDownload(
    documentObject({
      account: document.accountId,
      parent: 'application',
      parentId: document.parentId,
      documentId: id,
    }),
    { fileName: name, contentType },
    { now, seconds: linkSeconds },
  );
  return { id: String(id), documentKey: key, name, contentType, size, sha256, ...link };
}
