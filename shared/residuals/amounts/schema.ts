import { integer, string } from '../../schema.ts';

/** The schema of an amount in millionths of the currency. */
export const micros = (description: string, example = 12_340_000) =>
  integer({ description: `${description} In millionths of the currency.`, examples: [example] });

/** The month of residuals. */
export const residualMonth = (description = 'In the time zone of the account.') =>
  string({ pattern: '^20\\d{2}-(?:0[1-9]|1[0-2])$', maxLength: 7, description, examples: ['2026-10'] });

/** The name of a processor. Names that differ only in case are equal. */
export const processorName = (description: string) =>
  string({
    minLength: 1,
    maxLength: 40,
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9 ._&-]*[A-Za-z0-9.])?$',
    description,
    examples: ['Northwind'],
  });

/** Returns the form in which the names of processors are compared. */
export const processorKey = (processor: string): string => processor.toLowerCase();
