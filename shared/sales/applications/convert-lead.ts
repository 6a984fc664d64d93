import { emailIn, phoneIn } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { revise } from '../../table/revise.ts';
import type { Lead } from '../leads/schema.ts';
import { type ApplicationChangeRequest, createApplication } from './change-application.ts';
import { type Section, sectionFields } from './fields.ts';
import type { WithAppKey } from './new-application.ts';
import type { ApplicationInput } from './schema.ts';

/** Creates an application from a lead. The lead and the application store each other's id. */
export async function convertLead(
  lead: Lead,
  request: Omit<ApplicationChangeRequest, 'body'> & { account: AccountId },
): Promise<{ lead: Lead; made: WithAppKey }> {
  const { application, appKey } = await createApplication({ ...request, body: prefillFromLead(lead) });
  return {
    lead: revise(lead, { applicationId: application.id }, request),
    made: { application: { ...application, admin: { leadId: lead.id } }, appKey },
  };
}

/** The fields of an application that are filled with data of a lead. */
const table = [
  ['basics', 'dbaName', ({ company }) => company],
  ['basics', 'dbaContact', ({ firstName, lastName }) => `${firstName} ${lastName}`],
  ['basics', 'dbaEmail', ({ email }) => emailIn(email)],
  ['basics', 'dbaPhone', ({ phone }) => phoneIn(phone)],
  ['businessDetails', 'productsServicesSold', ({ productsServicesSold }) => productsServicesSold],
  ['businessHistory', 'previousCcProcessor', ({ currentPaymentProcessor }) => currentPaymentProcessor],
  ['scheduleABasics', 'highMonthlyVolume', ({ monthlyTransactionVolume }) => monthlyTransactionVolume],
] as const satisfies readonly [Section, string, (lead: Lead) => string | number | undefined][];

/**
 * Returns the body of a POST /applications with the data of a lead. Long texts are cut to the length that an
 * application allows. An invalid email or phone is omitted.
 */
export function prefillFromLead(lead: Lead): ApplicationInput {
  const body: Record<string, Record<string, string | number>> = {};
  for (const [section, field, source] of table) {
    const value = source(lead);
    if (value === undefined) continue;
    body[section] = { ...body[section], [field]: cut(value, Reflect.get(sectionFields[section], field)) };
  }
  return body;
}

/** Lengths are in characters (code points), as in the schema. */
const cut = (value: string | number, { maxLength }: { maxLength?: number }): string | number =>
  typeof value === 'string' ? [...value].slice(0, maxLength).join('') : value;
