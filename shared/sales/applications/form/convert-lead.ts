import type { FieldWarning } from '../../../endpoints/field-warnings.ts';
import { requireOwnNew } from '../../../endpoints/reached.ts';
import { emailIn, phoneIn } from '../../../formats.ts';
import type { AccountId } from '../../../id/account-id.ts';
import { ownershipFrom } from '../../../people/ownership/new-ownership.ts';
import { revise } from '../../../table/revise.ts';
import type { Lead } from '../../leads/schema.ts';
import { type Section, sectionFields } from '../record/fields.ts';
import type { ApplicationInput } from '../record/schema.ts';
import {
  type ApplicationChangeRequest,
  type ChangedApplication,
  createApplication,
} from './change-application.ts';

/**
 * Creates an application from a lead, with its owner, team and participants. The lead and the application store each other's id. `warnings` are the values of
 * the lead that the application does not contain completely. Throws `permission_denied` like `requireOwnNew`.
 */
export async function convertLead(
  lead: Lead,
  request: Omit<ApplicationChangeRequest, 'body'> & { account: AccountId },
): Promise<ChangedApplication & { lead: Lead; warnings: FieldWarning[] }> {
  const { body, warnings } = prefillFromLead(lead);
  const ownership = ownershipFrom({ ...lead, ownerId: lead.assignedTo });
  const change = await createApplication({ ...request, body }, { leadId: lead.id, ownership });
  requireOwnNew(request.principal, 'application', change.after);
  return { ...change, lead: revise(lead, { applicationId: change.after.id }, request), warnings };
}

/**
 * The fields of an application that are filled with data of a lead. If a function returns undefined although the lead
 * has a value, the message explains why.
 */
const table = [
  ['basics', 'dbaName', ({ company }) => company],
  ['basics', 'dbaContact', ({ firstName, lastName }) => `${firstName} ${lastName}`],
  ['basics', 'dbaEmail', ({ email }) => parsed(email, emailIn), 'email is not an email address'],
  ['basics', 'dbaPhone', ({ phone }) => parsed(phone, phoneIn), 'phone is not a telephone number'],
  ['businessDetails', 'productsServicesSold', ({ productsServicesSold }) => productsServicesSold],
  ['businessHistory', 'previousCcProcessor', ({ currentPaymentProcessor }) => currentPaymentProcessor],
  ['scheduleABasics', 'highMonthlyVolume', ({ monthlyTransactionVolume }) => monthlyTransactionVolume],
] as const satisfies readonly PrefilledField[];

/** Returns null if a text is not blank, but `parse` returns undefined. */
function parsed(text: string | undefined, parse: (text: string) => string | undefined) {
  return text?.trim() ? (parse(text) ?? null) : undefined;
}

/** A section, a field, and a function that returns its value. Null means that the lead's value cannot be used. */
type PrefilledField = [Section, string, (lead: Lead) => string | number | null | undefined, string?];

/**
 * Returns the body of a POST /applications with the data of a lead. Long texts are cut to the length that an
 * application allows. An invalid email or phone is omitted. `warnings` lists both.
 */
export function prefillFromLead(lead: Lead): { body: ApplicationInput; warnings: FieldWarning[] } {
  const body: Record<string, Record<string, string | number>> = {};
  const warnings: FieldWarning[] = [];
  for (const [section, field, source, fault = ''] of table as readonly PrefilledField[]) {
    const value = source(lead);
    const warn = (message: string) => warnings.push({ field: `${section}.${field}`, message });
    if (value === null) warn(`was not filled, because the lead’s ${fault}`);
    if (value === undefined || value === null) continue;
    const { maxLength }: { maxLength?: number } = Reflect.get(sectionFields[section], field);
    const stored = cut(value, maxLength);
    if (stored !== value) warn(`was cut to ${maxLength} characters`);
    body[section] = { ...body[section], [field]: stored };
  }
  return { body, warnings };
}

/** Lengths are in characters (code points), as in the schema. */
const cut = (value: string | number, maxLength: number | undefined): string | number =>
  typeof value === 'string' ? [...value].slice(0, maxLength).join('') : value;
