import { type Authored, revise } from '../../../table/revise.ts';
import type { ApplicationAdmin } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import type { UnderwritingInput } from './underwriting-schema.ts';

/** Sets the underwriter and the priority. Null removes a value. An omitted value does not change. */
export function assignUnderwriting(
  application: StoredApplication,
  { assignedTo, priority }: UnderwritingInput,
  request: Authored,
): StoredApplication {
  const admin: ApplicationAdmin = { ...application.admin };
  if (assignedTo === null) delete admin.assignedTo;
  else if (assignedTo !== undefined) admin.assignedTo = assignedTo;
  if (priority === null) delete admin.priority;
  else if (priority !== undefined) admin.priority = priority;
  return revise(application, { admin }, request);
}
