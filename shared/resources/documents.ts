import { integer, object, recordId, string } from '../schema.ts';
import { event, resource } from './declare.ts';
import { changesSchema } from './event-data.ts';
import { noticeOf } from './text.ts';

/** The record to which the document belongs is in `subject.parent` of the event. */
const document = {
  documentId: recordId(),
  documentKey: string({ examples: ['voided-check'] }),
  name: string({ examples: ['scan.pdf'] }),
  contentType: string({ examples: ['application/pdf'] }),
  size: integer({ description: 'The size in bytes.', examples: [48_213] }),
};

/** `data.name` is the file's name, and the label is the record's name. */
const file = (title: string, verb: string) => noticeOf(title, `{actor} ${verb} {name|a file} ({label}).`);

export const documentResource = resource({
  name: 'document',
  words: 'file',
  /**
   * A document belongs to one of these records. Reading the events of all documents requires the permissions for all
   * three. For the event of one document, `permissionsToRead` requires only the permission for its parent.
   */
  readers: { of: ['application', 'merchant', 'ticket'] },
  portal: 'parent',
  exported: true,
  prefixes: ['file'],
  events: {
    file_upload_url_requested: event(
      object(document),
      'An upload URL for a file was requested.',
      file('upload requested', 'requested the upload of'),
    ),
    file_uploaded: event(object(document), 'A file was uploaded.', file('uploaded', 'uploaded')),
    file_deleted: event(object(document), 'A file was deleted.', file('deleted', 'deleted')),
    file_requested: event(
      object(document),
      'A download URL of a file was requested.',
      file('opened', 'opened'),
    ),
    file_meta_data_updated: event(
      object({ ...document, changes: changesSchema }),
      'The name, key or review status of a file changed.',
      file('changed', 'changed the details of'),
    ),
  },
});
