import { emailIn, phoneIn } from '../../formats.ts';
import type { Lead } from '../leads/schema.ts';
import { type Section, sectionFields } from './fields.ts';
import type { ApplicationInput } from './schema.ts';

const nameOf = ({ firstName, lastName }: Lead): string => `${firstName} ${lastName}`;

/** Which field of an application is filled with what of a lead. */
const table = [
  ['basics', 'dbaName', ({ company }) => company],
  ['basics', 'dbaContact', nameOf],
  ['basics', 'dbaEmail', ({ email }) => emailIn(email)],
  ['basics', 'dbaPhone', ({ phone }) => phoneIn(phone)],
  ['businessDetails', 'productsServicesSold', ({ productsServicesSold }) => productsServicesSold],
  ['businessHistory', 'previousCcProcessor', ({ currentPaymentProcessor }) => currentPaymentProcessor],
  ['scheduleABasics', 'highMonthlyVolume', ({ monthlyTransactionVolume }) => monthlyTransactionVolume],
] as const satisfies readonly [Section, string, (lead: Lead) => string | number | undefined][];

/**
 * What a new application is filled in with from the lead that it is made of: the body of a creation. Texts that a lead
 * may have longer are cut to what the application takes. An email or phone that is not a real one is left out.
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

/** Length is counted in characters, as the schema's is. */
const cut = (value: string | number, { maxLength }: { maxLength?: number }): string | number =>
  typeof value === 'string' ? [...value].slice(0, maxLength).join('') : value;
