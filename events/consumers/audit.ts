import { writeAuditEntry } from '../../shared/integrity/audit/store.ts';
import type { Consumer } from '../consumer.ts';

/** Writes the audit entry of an event about a lead or an application. */
export default { queue: 'audit', handle: writeAuditEntry } satisfies Consumer;
