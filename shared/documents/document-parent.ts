import type { StoredAccount } from '../accounts/schema.ts';
import type { EmittedKind } from '../events/catalogue.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Principal } from '../security/principal.ts';
import type { RecordId } from '../table/keys.ts';
import type { Write } from '../table/operations.ts';
import type { Authored } from '../table/revise.ts';
import type { ParentType } from './object-keys.ts';
import type { StoredDocument } from './schema.ts';

/** A change to the files of a record, as far as the record itself is concerned. */
export interface FileChange {
  /** How many more or fewer files of each document key count. */
  uploads: ReadonlyMap<string, number>;
  /** The document as it is after the change, or was before it was deleted. */
  document: StoredDocument;
}

/** What a change means to the record itself. */
export interface Consequence {
  writes: Write[];
  events: EventDraft[];
}

/** A request that changes files. */
export interface InAccount extends Authored {
  accountRecord: StoredAccount;
}

/** A record that documents hang on, `P`, as far as they need to know it. */
export interface DocumentParent<P> {
  type: ParentType;
  /** The id of the record that the text of a path names, if any: read out of it, or looked up. */
  idFrom(text: string, account: AccountId): RecordId | undefined | Promise<RecordId | undefined>;
  /** Throws `not_found`. */
  get(account: AccountId, id: RecordId): Promise<P>;
  /** Throws where the record's files are to stay as they are now. */
  takesFiles(parent: P): void;
  /** Throws where the record has no use for documents of this key. */
  knowsKey(parent: P, key: string): void;
  /** Throws where this principal may not delete the document, although files may be changed. Left out: it may. */
  letsRemove?(parent: P, document: StoredDocument, principal: Principal): void;
  /** The kinds of events that `follow` can emit. */
  emits?: readonly EmittedKind[];
  /** What it means to the record that other files count. Left out: nothing. */
  follow?(parent: P, change: FileChange, request: InAccount): Consequence | Promise<Consequence>;
}
