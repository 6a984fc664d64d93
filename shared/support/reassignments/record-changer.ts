import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { ReassignmentContent } from './schema.ts';

/** The change of a record. `decide` runs again after a version conflict; undefined if nothing must change. */
export interface RecordChanger<I = number> {
  decide(id: I): Promise<Effects | undefined>;
}

/** The input of the functions that change the records of each type. */
export interface ReassignmentRun {
  account: AccountId;
  content: ReassignmentContent;
  now: Date;
}
